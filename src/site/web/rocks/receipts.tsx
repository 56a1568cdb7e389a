import { foreignText } from '../../../shared/foreign-text.ts';
import { Age } from '../../../ui/age.tsx';
import { ExternalLink, PageLink } from '../../../ui/links.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { OwnerLink } from './rock-card.tsx';
import { receiptAmount } from './rock-words.ts';
import type { ShownReceipt } from './rocks-answer.ts';

interface ReceiptsProps {
  readonly title: string;
  /** null: not known now. */
  readonly receipts: readonly ShownReceipt[] | null;
  /** Who got it is said of a rock, which may be somebody else's by now. */
  readonly namesReceiver?: boolean;
}

const titleMax = 80;

/** Rulings R9: what payouts gave, each with its transaction; nothing where there is none. */
export function Receipts({ title, receipts, namesReceiver = false }: ReceiptsProps) {
  if (receipts === null || receipts.length === 0) return null;
  return (
    <section aria-labelledby="receipts">
      <SectionHeading id="receipts" title={title} />
      <ol className="rock-history">
        {receipts.map(({ payout, title: called, at, address, coin, raw, digest, explorerUrl }) => (
          <li key={`${digest} ${payout} ${address}`} className="rock-event">
            <p className="font-semibold tabular-nums wrap-anywhere">
              <bdi>{receiptAmount({ raw, coin })}</bdi>
            </p>
            <p className="rock-event-line">
              <PageLink to={`/payouts/${payout}`} className="link wrap-anywhere">
                <bdi>{foreignText(called, titleMax)}</bdi>
              </PageLink>
              {namesReceiver && (
                <span>
                  to <OwnerLink owner={{ address, name: null }} />
                </span>
              )}
              {at === null ? (
                <span className="text-quiet">Time not known</span>
              ) : (
                <Age asOf={at} className="text-quiet" />
              )}
              <ExternalLink href={explorerUrl}>
                Transaction<span className="sr-only"> of: {foreignText(called, titleMax)}</span>
              </ExternalLink>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
