import { Card } from '../../ui/card.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { figureStates, stateMeaning } from './figure-state.ts';

interface SnapshotDownloadsProps {
  /** `awaited`: the first answer is still on its way, so nothing is promised yet. */
  readonly snapshot: 'known' | 'awaited' | 'none';
}

/** Rulings R3: the snapshot as a file, so that the totals can be added up again at home. */
export function SnapshotDownloads({ snapshot }: SnapshotDownloadsProps) {
  return (
    <Card as="section" aria-labelledby="check-it">
      <SectionHeading id="check-it" title="Check it yourself" level={3} />
      <p className="mt-3 max-w-2xl text-pretty text-quiet">
        The current snapshot with every row, raw balance, price and source. The rows add up to the totals.
      </p>
      {snapshot === 'known' && (
        <div className="mt-4 flex flex-wrap gap-3">
          <a className={buttonClass('stone')} href="/api/treasury/export.csv" download>
            Download CSV
          </a>
          <a className={buttonClass('stone')} href="/api/treasury/export.json" download>
            Download JSON
          </a>
        </div>
      )}
      {snapshot === 'none' && (
        <p className="mt-4 font-semibold text-unavailable">
          There is no snapshot to download right now: the treasury could not be read.
        </p>
      )}
      <h4 className="mt-8 font-semibold">What the marks mean</h4>
      <dl className="mt-3 grid gap-2 text-sm">
        {figureStates.map((state) => (
          <div key={state} className="grid grid-cols-[8rem_1fr] items-start gap-x-3">
            <dt>
              <StateBadge state={state} />
            </dt>
            <dd className="text-quiet">{stateMeaning[state]}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
