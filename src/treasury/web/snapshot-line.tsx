import type { TreasurySnapshot } from '../contract.ts';
import { instantInWords } from '../../web/age-in-words.ts';
import { formatChangePercent, formatUsd } from './number-format.ts';

interface SnapshotLineProps {
  readonly snapshot: TreasurySnapshot | null;
  readonly failure: string | null;
}

/** Under the cards: where and when the chain was read, and what is unusual. Its room is kept while there is nothing. */
export function SnapshotLine({ snapshot, failure }: SnapshotLineProps) {
  return (
    <div className="noscript:hidden mt-4 min-h-24 space-y-2 lg:min-h-13 text-sm text-quiet">
      {snapshot === null ? null : (
        <p>
          Read from SUI {snapshot.network}
          {snapshot.checkpoint === null ? '' : ` at checkpoint ${snapshot.checkpoint}`}, {instantInWords(snapshot.asOf)}
          . Total Value is priced tokens plus NFTs at floor.
        </p>
      )}
      {failure === null ? null : (
        <output className="block font-semibold text-danger">
          {snapshot === null
            ? 'The treasury could not be read'
            : 'The last refresh failed; these are the last good figures'}
          : {failure}
        </output>
      )}
      {snapshot?.jump ? <JumpFlag jump={snapshot.jump} /> : null}
    </div>
  );
}

interface JumpFlagProps {
  readonly jump: NonNullable<TreasurySnapshot['jump']>;
}

/** Rulings R3: a total that moved by more than half was read twice before it was published, and says so. */
function JumpFlag({ jump }: JumpFlagProps) {
  return (
    <p>
      <strong className="text-stale">Large move:</strong> the total went from {formatUsd(jump.previousUsdValue)} to{' '}
      {formatUsd(jump.nextUsdValue)} ({formatChangePercent(jump.changePercent)}) between two readings. A second reading
      confirmed it, {instantInWords(jump.confirmedAt)}.
    </p>
  );
}
