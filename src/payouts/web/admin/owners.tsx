import { Age } from '../../../ui/age.tsx';
import { Button, Spinner } from '../../../ui/button.tsx';
import { Part } from '../../../ui/panel.tsx';
import { isReading, type Payout, type TreasuryCoin, usePayoutStep } from './payouts-calls.ts';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { shownFields } from './payout-words.ts';

interface OwnersProps {
  readonly payout: Payout;
  readonly coins: readonly TreasuryCoin[] | null;
}

/** The snapshot of a draft: asked for, under way, failed with a sentence, or taken. */
export function Owners({ payout, coins }: OwnersProps) {
  const { send, busy, stale } = usePayoutStep<void>('snapshot', {
    seen: payout,
    success: { title: 'Reading the owners', description: 'It takes up to a minute; this page shows when it is done.' },
    failure: 'Failed to ask for the owners',
    onDone: () => {},
  });
  const askedAt = payout.snapshot?.askedAt ?? null;
  const problem = payout.snapshot?.problem ?? null;
  const underWay = isReading(payout);
  return (
    <Part id="payout-owners" title="Owners">
      <p className="my-2 max-w-prose text-quiet">
        The owner of every rock is read twice. The plan names the checkpoint between the two readings, if nothing has
        changed hands.
      </p>
      <div aria-live="polite">
        {underWay && askedAt !== null && (
          <p className="my-3 flex items-center gap-3 font-semibold">
            <Spinner className="size-5 shrink-0" />
            <span>
              Reading the owners, begun <Age asOf={askedAt} />. Where the chain does not answer, it is tried again.
            </span>
          </p>
        )}
        {!underWay && problem !== null && (
          <p role="alert" className="my-3 border-l-4 border-danger py-1 pl-4 wrap-anywhere">
            {problem}
          </p>
        )}
      </div>
      {stale !== null && (
        <StaleVersions what="draft" before={shownFields(payout, coins)} now={shownFields(stale, coins)} />
      )}
      <Button
        size={payout.plan ? 'small' : 'medium'}
        look={payout.plan ? 'stone' : 'torch'}
        busy={busy || underWay}
        onClick={() => send()}
      >
        {payout.plan ? 'Read the owners again' : 'Read the owners'}
      </Button>
    </Part>
  );
}
