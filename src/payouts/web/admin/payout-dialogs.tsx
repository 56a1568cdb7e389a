import type * as z from 'zod/mini';
import { type ChangeOf, useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import { AlertDialog, FormDialog } from '../../../ui/dialogs.tsx';
import { TextArea, useFields } from '../../../ui/text-field.tsx';
import { payoutWords } from '../../core/payout-words.ts';
import type { DraftTerms } from '../../payouts-contract.ts';
import { OutcomeFacts, PlanFacts } from './outcome-facts.tsx';
import { coinOf, shownFields, titleOf } from './payout-words.ts';
import { type Payout, payout as payoutForm, payoutPath, payoutsPath, type TreasuryCoin } from './payouts-calls.ts';

interface DialogProps {
  /** As it was when the dialog was opened. */
  readonly payout: Payout;
  readonly coins: readonly TreasuryCoin[] | null;
  readonly onClose: () => void;
}

const Name = ({ of }: { readonly of: Payout }) => <bdi className="font-semibold">{titleOf(of)}</bdi>;

export function DeleteDialog({ payout, coins, onClose, onDone }: DialogProps & { readonly onDone: () => void }) {
  const { send, ...change } = useDraftDeletion({
    seen: payout,
    coins,
    success: { title: 'Draft deleted', description: 'Nobody but the team had seen it.' },
    failure: 'Failed to delete the draft',
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <AlertDialog onClose={onClose} title="Delete draft" confirmText="Delete" change={{ ...change, send: () => send() }}>
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

interface Change<Version, Input> extends ChangeOf<Version, Input> {
  readonly coins: readonly TreasuryCoin[] | null;
}

interface Kind<Version, Input> extends Pick<Parameters<typeof useVersionedChange<Version, Input>>[0], 'call'> {
  readonly what: 'draft' | 'payout';
}

/** A change of the version that was on the screen: if it is outdated, the change is refused and both are shown (rulings R6). */
const usePayoutChange = <Version extends Payout | null, Input>({
  coins,
  ...change
}: Change<Version, Input> & Kind<Version, Input>) =>
  useVersionedChange<Version, Input>({
    ...change,
    schema: payoutForm as unknown as z.ZodMiniType<Version>,
    versionOf: (version) => version?.version ?? null,
    fieldsOf: (version) => (version === null ? {} : shownFields(version, coins)),
  });

/** null: a new one is drafted. */
export const useDraftSave = (change: Change<Payout | null, DraftTerms>) =>
  usePayoutChange<Payout | null, DraftTerms>({
    ...change,
    what: 'draft',
    call: (body, of) =>
      of === null ? { method: 'POST', path: payoutsPath, body } : { method: 'PUT', path: payoutPath(of.id), body },
  });

const useDraftDeletion = (change: Change<Payout, void>) =>
  usePayoutChange<Payout, void>({
    ...change,
    what: 'draft',
    call: (_nothing, { id }) => ({ method: 'DELETE', path: payoutPath(id) }),
  });

/** One step: reading the owners, publishing a hash, or withdrawing for a reason. */
export const usePayoutStep = <Input extends object | void>(
  step: 'snapshot' | 'publish' | 'withdraw',
  change: Change<Payout, Input>,
) =>
  usePayoutChange<Payout, Input>({
    ...change,
    what: step === 'withdraw' ? 'payout' : 'draft',
    call: (body, { id }) => ({
      method: 'POST',
      path: `${payoutPath(id)}/${step}`,
      ...(body !== undefined && { body }),
    }),
  });
