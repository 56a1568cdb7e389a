import { useVersionedChange, type VersionedChange } from '../../../ui/api/versioned-change.tsx';
import { AlertDialog, FormDialog } from '../../../ui/dialogs.tsx';
import { TextArea, useFields } from '../../../ui/text-field.tsx';
import { payoutWords } from '../../core/payout-words.ts';
import { OutcomeFacts, PlanFacts } from './outcome-facts.tsx';
import { coinOf, shownFields, titleOf } from './payout-words.ts';
import { type Payout, payout as payoutForm, payoutPath, type TreasuryCoin } from './payouts-calls.ts';

interface DialogProps {
  /** As it was when the dialog was opened. */
  readonly payout: Payout;
  readonly coins: readonly TreasuryCoin[] | null;
  readonly onClose: () => void;
}

const Name = ({ of }: { readonly of: Payout }) => <bdi className="font-semibold">{titleOf(of)}</bdi>;

export function DeleteDialog({ payout, coins, onClose, onDone }: DialogProps & { readonly onDone: () => void }) {
  const change = usePayoutChange<null>({
    seen: payout,
    coins,
    what: 'draft',
    call: () => ({ method: 'DELETE', path: payoutPath(payout.id) }),
    success: { title: 'Draft deleted', description: 'Nobody but the team had seen it.' },
    failure: 'Failed to delete the draft',
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <AlertDialog onClose={onClose} title="Delete draft" confirmText="Delete" change={change}>
      <p>
        The draft <Name of={payout} /> will be gone for good. Nothing was published.
      </p>
    </AlertDialog>
  );
}

export function PublishDialog({ payout, coins, onClose }: DialogProps) {
  const { stale, staleNote, send, busy, problem } = usePayoutStep<{ readonly sha256: string }>('publish', {
    seen: payout,
    coins,
    success: { title: 'Published', description: 'Everybody can read the plan. Build the transaction next.' },
    failure: 'Failed to publish',
    onDone: onClose,
  });
  const { plan } = payout;
  const sha256 = plan?.sha256 ?? null;
  // Another version has another plan, which this admin has not seen.
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
        <Name of={payout} /> becomes public with title, reason, amounts, owners and who is left out.{' '}
        <strong>None of it can be changed any more.</strong> It can be withdrawn, with a reason that stays, until the
        first line is paid.
      </p>
      <div className="mt-4">
        {plan?.outcome && <OutcomeFacts isAhead outcome={plan.outcome} coin={coinOf(payout, coins)} className="grid" />}
        {plan && <PlanFacts plan={plan} />}
      </div>
      {staleNote()}
    </AlertDialog>
  );
}

export function WithdrawDialog({ payout, coins, onClose }: DialogProps) {
  const { field, save } = useFields({ reason: '' }, ({ reason }) => ({
    reason: reason.trim() === '' ? 'Say why. Everybody can read it.' : undefined,
  }));
  const { stale, staleNote, send, busy, problem } = usePayoutStep<{ readonly reason: string }>('withdraw', {
    seen: payout,
    coins,
    success: { title: 'Withdrawn', description: 'The plan stays public, with the reason.' },
    failure: 'Failed to withdraw the payout',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Withdraw the payout"
      description={
        <>
          <Name of={payout} /> will not be paid. Its plan stays public, marked as withdrawn, and nothing brings it back.
        </>
      }
      // Another version can only mean that someone else has withdrawn it.
      saveText={stale === null ? 'Withdraw' : 'Look at it again'}
      onSave={() => (stale === null ? save(send) : onClose())}
      {...{ onClose, busy, problem }}
    >
      <TextArea
        {...field('reason')}
        label="Reason"
        maxLength={payoutWords.withdrawnReason}
        hint="Everybody can read it, and it stays."
      />
      {staleNote()}
    </FormDialog>
  );
}

interface Change<Input> extends Pick<
  VersionedChange<Payout | null, Input>,
  'what' | 'call' | 'success' | 'failure' | 'onDone'
> {
  /** The version on the screen; null: a new draft. */
  readonly seen: Payout | null;
  readonly coins: readonly TreasuryCoin[] | null;
}

/** A change of the version that was on the screen: if it is outdated, the change is refused and both are shown (rulings R6). */
export const usePayoutChange = <Input,>({ coins, ...change }: Change<Input>) =>
  useVersionedChange<Payout | null, Input>({
    ...change,
    schema: payoutForm,
    versionOf: (payout) => payout?.version ?? null,
    fieldsOf: (payout) => (payout === null ? {} : shownFields(payout, coins)),
  });

interface Step<Input> extends Omit<Change<Input>, 'what' | 'call'> {
  readonly seen: Payout;
}

/** One step: reading the owners, publishing a hash, or withdrawing for a reason. */
export const usePayoutStep = <Input extends object | void>(
  step: 'snapshot' | 'publish' | 'withdraw',
  change: Step<Input>,
) =>
  usePayoutChange<Input>({
    ...change,
    what: step === 'withdraw' ? 'payout' : 'draft',
    call: (body) => ({
      method: 'POST',
      path: `${payoutPath(change.seen.id)}/${step}`,
      ...(body !== undefined && { body }),
    }),
  });
