import { instantInWords } from '../../ui/age-in-words.ts';
import { Button } from '../../ui/button.tsx';
import { formatChangePercent, formatUsd } from './number-format.ts';
import type { ShownTreasury } from './treasury-answer.ts';

export interface TreasuryFailure {
  readonly text: string;
  /** Another try is under way. */
  readonly isTrying: boolean;
  readonly tryAgain: () => void;
}

interface SnapshotLineProps {
  readonly snapshot: ShownTreasury | null;
  readonly failure: TreasuryFailure | null;
}

/** Under the cards: where and when the chain was read, and what is unusual. Its room is kept while there is nothing. */
export function SnapshotLine({ snapshot, failure }: SnapshotLineProps) {
  return (
    <div className="noscript:hidden mt-4 min-h-24 space-y-2 lg:min-h-13 text-sm text-quiet">
      {snapshot === null ? null : (
        <p>
          {readFrom(snapshot)}
          Total Value is priced tokens plus NFTs at floor.
          {snapshot.figures === null ? '' : ' Figures without a mark are live.'}
        </p>
      )}
      {failure === null ? null : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <output className="font-semibold text-danger">
            {snapshot === null
              ? 'The treasury could not be read'
              : 'The last refresh failed; these are the last good figures'}
            : {failure.text}
          </output>
          <Button busy={failure.isTrying} onClick={failure.tryAgain}>
            Try again
          </Button>
        </div>
      )}
      <JumpFlag jump={snapshot?.jump ?? null} />
    </div>
  );
}

const readFrom = ({ network, checkpoint, asOf }: ShownTreasury): string =>
  asOf === null
    ? ''
    : `Read from SUI${network === null ? '' : ` ${network}`}${
        checkpoint === null ? '' : ` at checkpoint ${checkpoint}`
      }, ${instantInWords(asOf)}. `;

/** Rulings R3: a total that moved by more than half was read twice before it was published, and says so. */
function JumpFlag({ jump }: Pick<ShownTreasury, 'jump'>) {
  if (jump === null || jump.previousUsdValue === null || jump.nextUsdValue === null) return null;
  return (
    <p>
      <strong className="text-stale">Large move:</strong> the total went from {formatUsd(jump.previousUsdValue)} to{' '}
      {formatUsd(jump.nextUsdValue)}
      {jump.changePercent === null ? '' : ` (${formatChangePercent(jump.changePercent)})`} between two readings. A
      second reading confirmed it{jump.confirmedAt === null ? '' : `, ${instantInWords(jump.confirmedAt)}`}.
    </p>
  );
}
