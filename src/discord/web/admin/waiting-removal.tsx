import { Age } from '../../../ui/age.tsx';
import { Card } from '../../../ui/card.tsx';
import { counted, wholeNumberText } from '../../../ui/decimal-text.ts';
import { ConfirmDialog, DialogButton } from '../../../ui/dialogs.tsx';
import type { GuildStatistics } from './discord-answers.ts';
import { NameList } from './members.tsx';

type Removal = NonNullable<GuildStatistics['waitingRemoval']>;

const decisions = {
  approve: {
    title: 'Approve the removal',
    look: 'danger',
    confirm: 'Remove the role from',
    text: 'members will lose the role, each after a direct message and the grace period. Anyone who holds a piece again by then keeps it.',
    done: 'Removal approved',
    effect: 'lose the role',
    failed: 'Failed to approve removal',
  },
  refuse: {
    title: 'Refuse the removal',
    look: 'torch',
    confirm: 'Keep it for',
    text: 'members keep the role although nothing was found in their wallets. The usual rules apply to each of them again once a piece is found.',
    done: 'Removal refused',
    effect: 'keep the role',
    failed: 'Failed to refuse removal',
  },
} as const;
type Decision = keyof typeof decisions;

/** '12 of 60'. */
const howMany = ({ removalCount, holderCount }: Removal): string =>
  holderCount === null
    ? wholeNumberText(removalCount)
    : `${wholeNumberText(removalCount)} of ${wholeNumberText(holderCount)}`;

/** Rulings R5: a removal of many roles at once waits for an admin's decision. */
export function WaitingRemoval({ removal }: { readonly removal: Removal }) {
  const { removalCount, members, createdAt } = removal;
  return (
    <Card as="section" tone="glow" className="mb-6" aria-labelledby="discord-waiting-removal">
      <h3 id="discord-waiting-removal" className="text-lg font-bold">
        Removing {counted(removalCount, 'role')} needs your approval
      </h3>
      <p className="mt-2">
        {howMany(removal)} members with the role were found to hold nothing, in two checks. So many at once may be a
        mistake, so no role has been removed yet.
        <Age asOf={createdAt} before=" It began " after="." />
      </p>
      <NameList title={`Who would lose it (${wholeNumberText(removalCount)})`} members={members} total={removalCount} />
      <div className="mt-3 flex flex-wrap gap-3">
        <DialogButton text="Approve" look="danger" of={removal}>
          {(of, close) => <DecisionDialog decision="approve" removal={of} onClose={close} />}
        </DialogButton>
        <DialogButton text="Refuse" of={removal}>
          {(of, close) => <DecisionDialog decision="refuse" removal={of} onClose={close} />}
        </DialogButton>
      </div>
    </Card>
  );
}

interface DecisionDialogProps {
  readonly decision: Decision;
  readonly removal: Removal;
  readonly onClose: () => void;
}

/** POST /api/discord/removals/{removalId}/approve and /refuse. */
function DecisionDialog({ decision, removal, onClose }: DecisionDialogProps) {
  const { title, look, confirm, text, done, effect, failed } = decisions[decision];
  const { id, removalCount } = removal;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      confirmText={`${confirm} ${wholeNumberText(removalCount)}`}
      confirmLook={look}
      change={{
        call: () => ({ method: 'POST', path: `/api/discord/removals/${encodeURIComponent(id)}/${decision}` }),
        success: { title: done, description: `${counted(removalCount, 'member')} ${effect}.` },
        failure: failed,
      }}
    >
      <p>
        {howMany(removal)} {text}
      </p>
    </ConfirmDialog>
  );
}
