import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import { ApiError, callApi } from '../../ui/api/api-client.ts';
import { AskAgainProvider } from '../../ui/api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { type Challenge, type Proof, ProofForm, shownChallenge } from './proof-form.tsx';

const begin = (): Promise<Challenge> => readAnswer({ method: 'POST', path: '/api/auth/confirm/begin' }, shownChallenge);

/**
 * Wraps the admin area: a call that needs the second factor again (`Route.needsSecondFactorAgain`) opens the dialog and continues once it is given.
 * Several such calls at once share one dialog.
 */
export function AskAgain({ children }: { readonly children: ReactNode }) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  /** Whether the second factor is given, once the dialog is over; null: it is not open. */
  const pending = useRef<Promise<boolean> | null>(null);
  const resolvePending = useRef<(isGiven: boolean) => void>(() => {});
  const end = useCallback((isGiven: boolean): void => {
    setChallenge(null);
    pending.current = null;
    resolvePending.current(isGiven);
  }, []);
  const ask = useCallback((): Promise<boolean> => {
    if (pending.current !== null) return pending.current;
    const answer = new Promise<boolean>((resolve) => {
      resolvePending.current = resolve;
    });
    pending.current = answer;
    begin().then(setChallenge, () => end(false));
    return answer;
  }, [end]);
  return (
    <AskAgainProvider value={ask}>
      {children}
      {challenge !== null && <AgainDialog challenge={challenge} onNewChallenge={setChallenge} onEnd={end} />}
    </AskAgainProvider>
  );
}

interface AgainDialogProps {
  readonly challenge: Challenge;
  readonly onNewChallenge: (challenge: Challenge) => void;
  readonly onEnd: (isGiven: boolean) => void;
}

function AgainDialog({ challenge, onNewChallenge, onEnd }: AgainDialogProps) {
  const confirm = useMutation({
    mutationFn: async (proof: Proof) => {
      try {
        await callApi({ method: 'POST', path: '/api/auth/confirm', body: proof });
      } catch (error) {
        // Expired, or no tries left: the next try needs a new challenge.
        if (error instanceof ApiError && error.code === 'challenge-over') onNewChallenge(await begin());
        throw error;
      }
    },
    onSuccess: () => onEnd(true),
  });
  return (
    <Dialog
      title="Confirm that it is you"
      description="This needs your second factor again. It is then valid for ten minutes."
      busy={confirm.isPending}
      onClose={() => onEnd(false)}
    >
      <div className="mt-5">
        <ProofForm
          challenge={challenge}
          sending={confirm}
          submitText="Confirm"
          end={
            <Button look="ghost" size="small" busy={confirm.isPending} onClick={() => onEnd(false)}>
              Cancel
            </Button>
          }
        />
      </div>
    </Dialog>
  );
}
