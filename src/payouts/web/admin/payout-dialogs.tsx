import { useState } from 'react';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { Facts } from '../../../ui/card.tsx';
import { wholeOrUnknown } from '../../../ui/decimal-text.ts';
import { AlertDialog, FormDialog } from '../../../ui/dialogs.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { amountText, type ShownCoin, payoutWords } from '../../core/payout-words.ts';
import { shownFields, titleOf } from './payout-words.ts';
import { type Payout, type TreasuryCoin, useDraftDeletion, usePayoutStep } from './payouts-calls.ts';

interface DialogProps {
  /** The newest as it was read, so that what is confirmed is what is shown. */
  readonly payout: Payout;
  readonly coins: readonly TreasuryCoin[] | null;
  readonly coin: ShownCoin;
  readonly onClose: () => void;
}

/** As it was when the dialog was opened. */
const useSeen = (payout: Payout): Payout => useState(payout)[0];

interface ChangedProps extends Pick<DialogProps, 'coins'> {
  readonly what: 'draft' | 'payout';
  readonly seen: Payout;
  /** What somebody else has saved meanwhile; null: nobody has. */
  readonly stale: Payout | null;
}

export const Changed = ({ what, seen, stale, coins }: ChangedProps) =>
  stale !== null && <StaleVersions what={what} before={shownFields(seen, coins)} now={shownFields(stale, coins)} />;

const Name = ({ of }: { readonly of: Payout }) => <bdi className="font-semibold">{titleOf(of)}</bdi>;

export function DeleteDialog({ payout, coins, onClose, onDone }: DialogProps & { readonly onDone: () => void }) {
  const seen = useSeen(payout);
  const { stale, send, ...change } = useDraftDeletion({
    seen,
    success: { title: 'Draft deleted', description: 'Nobody but the team had seen it.' },
    failure: 'Failed to delete the draft',
    onDone,
  });
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete draft"
      confirmText={stale === null ? 'Delete' : 'Delete anyway'}
      change={{ ...change, send: () => send() }}
    >
      <p>
        The draft <Name of={seen} /> is gone for good. Nothing was published.
      </p>
      <Changed what="draft" {...{ seen, stale, coins }} />
    </AlertDialog>
  );
}

export function PublishDialog({ payout, coins, coin, onClose }: DialogProps) {
  const seen = useSeen(payout);
  const { stale, send, busy, problem } = usePayoutStep<{ readonly sha256: string }>('publish', {
    seen,
    success: { title: 'Published', description: 'Everybody can read the plan. Build the transaction next.' },
    failure: 'Failed to publish',
    onDone: onClose,
  });
  const sha256 = seen.plan?.sha256 ?? null;
  // Another version has another plan, which nobody has looked at.
  const confirm = stale === null ? () => sha256 !== null && send({ sha256 }) : onClose;
  return (
    <AlertDialog
      onClose={onClose}
      title="Publish this plan?"
      confirmText={stale === null ? 'Publish' : 'Look at it again'}
      confirmLook={stale === null ? 'torch' : 'stone'}
      change={{ send: confirm, busy, problem }}
    >
      <p className="text-ink">
        <Name of={seen} /> becomes public with title, reason, amounts, owners and who is left out.{' '}
        <strong>None of it can be changed any more.</strong> It can be withdrawn, with a reason that stays, until the
        first line is paid.
      </p>
      {seen.plan && <Totals plan={seen.plan} coin={coin} />}
      <Changed what="draft" {...{ seen, stale, coins }} />
    </AlertDialog>
  );
}

const Totals = ({ plan, coin }: { readonly plan: NonNullable<Payout['plan']>; readonly coin: ShownCoin }) => (
  <Facts
    className="mt-4 grid tabular-nums"
    of={{
      ...(plan.outcome !== null && {
        'In all': amountText(plan.outcome.totalRaw, coin),
        'Each rock gets': amountText(plan.outcome.shareRaw, coin),
        Rocks: wholeOrUnknown(plan.outcome.rocks),
        Holders: wholeOrUnknown(plan.outcome.holders),
        Remainder: amountText(plan.outcome.remainderRaw, coin),
      }),
      'SHA-256': <code className="text-sm">{plan.sha256 ?? 'Not known'}</code>,
    }}
  />
);

export function WithdrawDialog({ payout, coins, onClose }: DialogProps) {
  const seen = useSeen(payout);
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const { stale, send, busy, problem } = usePayoutStep<{ readonly reason: string }>('withdraw', {
    seen,
    success: { title: 'Withdrawn', description: 'The plan stays public, with the reason.' },
    failure: 'Failed to withdraw the payout',
    onDone: onClose,
  });
  const save = (): void => {
    setWrong(reason.trim() === '' ? 'Say why. Everybody can read it.' : undefined);
    if (reason.trim() !== '') send({ reason });
  };
  return (
    <FormDialog
      title="Withdraw the payout"
      description={
        <>
          <Name of={seen} /> will not be paid. Its plan stays public, marked as withdrawn, and nothing brings it back.
        </>
      }
      saveText="Withdraw"
      onSave={save}
      stale={stale !== null && <Changed what="payout" {...{ seen, stale, coins }} />}
      {...{ onClose, busy, problem }}
    >
      <TextArea
        label="Reason"
        maxLength={payoutWords.withdrawnReason}
        hint="Everybody can read it, and it stays."
        value={reason}
        error={wrong}
        onText={setReason}
      />
    </FormDialog>
  );
}
