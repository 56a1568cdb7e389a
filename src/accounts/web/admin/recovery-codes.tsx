import { useApiMutation } from '../../../ui/api/use-answer.ts';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog, Dialog } from '../../../ui/dialogs.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import { newCodes, useRefreshAccounts } from './accounts-calls.ts';

interface NewCodesProps {
  readonly onMade: (codes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

export function NewCodesDialog({ onMade, onClose }: NewCodesProps) {
  const change = useApiMutation({
    call: () => ({ method: 'POST', path: '/api/auth/recovery-codes' }),
    success: { title: 'New recovery codes', description: 'The old ones count no more.' },
    failure: 'Failed to make new codes',
    refresh: useRefreshAccounts(),
    onDone: (answer) => onMade(dataIn(answer, newCodes)?.recoveryCodes ?? null),
  });
  return (
    <AlertDialog
      title="Make new recovery codes"
      confirmText="Make new codes"
      onClose={onClose}
      change={{ ...change, send: () => change.send() }}
    >
      <p>The old codes count no more. The new ones are shown once.</p>
    </AlertDialog>
  );
}

/** The only time that they can be read: what is kept of them are hashes. */
export function ShownCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const copy = useCopy(codes.join('\n'), 'Recovery codes copied to clipboard', 'Write them down by hand.');
  return (
    <Dialog
      asks
      title="Your recovery codes"
      description="Each stands in once for a second factor that is lost. Keep them where your phone is not: they are shown this once."
      onClose={onClose}
    >
      <ul aria-label="Recovery codes" className="mt-5 grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button size="small" onClick={() => void copy()}>
          Copy
        </Button>
        <Button size="small" look="torch" onClick={onClose}>
          I have kept them
        </Button>
      </div>
    </Dialog>
  );
}
