import { useState } from 'react';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { AlertDialog } from '../../../ui/dialogs.tsx';
import type { GuildStatistics } from './discord-answers.ts';
import { useRefreshGuilds } from './discord-calls.ts';
import { NameList } from './server-head.tsx';
import { counted, whole } from './server-words.ts';

type Removal = NonNullable<GuildStatistics['waitingRemoval']>;
type Word = 'approve' | 'refuse';

/** '12 of 60'. */
const howMany = ({ removalCount, holderCount }: Removal): string =>
  holderCount === null ? whole(removalCount) : `${whole(removalCount)} of ${whole(holderCount)}`;

/** Rulings R5: a removal of many roles at once waits for an admin's word. */
export function WaitingRemoval({ removal }: { readonly removal: Removal }) {
  const [asked, setAsked] = useState<Word | null>(null);
  const close = () => setAsked(null);
  const { removalCount, members, createdAt } = removal;
  return (
    <Card as="section" tone="glow" className="mb-6" aria-labelledby="discord-waiting-removal">
      <h3 id="discord-waiting-removal" className="text-lg font-bold">
        Removing {counted(removalCount, 'role')} needs your approval
      </h3>
      <p className="mt-2">
        {howMany(removal)} members with the role were found to hold nothing, in two checks. So many at once may be a
        mistake, so no role has been removed yet.
        {createdAt !== null && (
          <>
            {' '}
            It began <Age asOf={createdAt} />.
          </>
        )}
      </p>
      <NameList title={`Who would lose it (${whole(removalCount)})`} members={members} total={removalCount} />
      <div className="mt-3 flex flex-wrap gap-3">
        <Button look="danger" size="small" onClick={() => setAsked('approve')}>
          Approve
        </Button>
        <Button size="small" onClick={() => setAsked('refuse')}>
          Refuse
        </Button>
      </div>
      {asked !== null && <Asking key={asked} word={asked} removal={removal} onClose={close} />}
    </Card>
  );
}

interface AskingProps {
  readonly word: Word;
  readonly removal: Removal;
  readonly onClose: () => void;
}

function Asking({ word, removal, onClose }: AskingProps) {
  const [problem, setProblem] = useState<string>();
  const decide = useDecide(word, removal, onClose, setProblem);
  const count = whole(removal.removalCount);
  return (
    <AlertDialog
      onClose={onClose}
      title={word === 'approve' ? 'Approve the removal' : 'Refuse the removal'}
      confirmText={word === 'approve' ? `Remove the role from ${count}` : `Keep it for ${count}`}
      confirmLook={word === 'approve' ? 'danger' : 'torch'}
      onConfirm={() => decide.mutate()}
      busy={decide.isPending}
      error={problem}
    >
      {word === 'approve' ? (
        <p>
          {howMany(removal)} members will lose the role, each after a direct message and the grace period. Anyone who
          holds a piece again by then keeps it.
        </p>
      ) : (
        <p>
          {howMany(removal)} members keep the role although nothing was found in their wallets. The usual rules apply to
          each of them again once a piece is found.
        </p>
      )}
    </AlertDialog>
  );
}

const texts = {
  approve: { title: 'Removal approved', what: 'lose the role', failed: 'Failed to approve removal' },
  refuse: { title: 'Removal refused', what: 'keep the role', failed: 'Failed to refuse removal' },
} as const;

/** POST /api/discord/removals/{removalId}/approve and /refuse. */
function useDecide(word: Word, { id, removalCount }: Removal, onDone: () => void, onProblem: (text: string) => void) {
  const refresh = useRefreshGuilds();
  const { title, what, failed } = texts[word];
  return useApiMutation({
    call: () => ({ method: 'POST', path: `/api/discord/removals/${encodeURIComponent(id)}/${word}` }),
    success: () => ({ title, description: `${counted(removalCount, 'member')} ${what}.` }),
    failure: (message) => {
      // Another admin may have decided meanwhile.
      refresh();
      onProblem(message);
      return { title: failed, description: message };
    },
    onDone: () => {
      onDone();
      refresh();
    },
  });
}
