import { transactionLink } from '../../../shared/explorer-links.ts';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Age } from '../../../ui/age.tsx';
import { PageLink, TransactionLink } from '../../../ui/links.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { OwnerLink } from './rock-card.tsx';
import { eventText, receiptAmount, suiText } from './rock-words.ts';
import type { ShownEvent, ShownReceipt, ShownRockPage } from './rocks-answer.ts';

const Holder = ({ address }: { readonly address: string }) => <OwnerLink owner={{ address, name: null }} />;

const When = ({ at }: { readonly at: string | null }) => <Age asOf={at} none="Time not known" className="text-quiet" />;

function Between({ event: { from, to } }: { readonly event: ShownEvent }) {
  if (from === null && to === null) return null;
  return (
    <span>
      {from !== null && (
        <>
          from <Holder address={from} />
        </>
      )}{' '}
      {to !== null && (
        <>
          to <Holder address={to} />
        </>
      )}
    </span>
  );
}

function HistoryLine({ event }: { readonly event: ShownEvent }) {
  const { explorerUrl } = useSiteConfig();
  const { kind, priceMist, at, digest } = event;
  return (
    <li className="rock-event">
      <p className="font-semibold">
        {eventText(kind)}
        {priceMist !== null && <span> for {suiText(priceMist)}</span>}
      </p>
      <p className="rock-event-line">
        <Between event={event} />
        <When at={at} />
        {digest !== null && <TransactionLink href={transactionLink(explorerUrl, digest)} of={eventText(kind)} />}
      </p>
    </li>
  );
}

export function RockHistory({ history, isHistoryComplete }: Pick<ShownRockPage, 'history' | 'isHistoryComplete'>) {
  return (
    <section aria-labelledby="history-title">
      <SectionHeading title="Its story so far" id="history-title">
        Newest first, each with its transaction on the chain.
      </SectionHeading>
      {history === null && <p className="mt-6">Its history is not known right now.</p>}
      {history?.length === 0 && <p className="mt-6">Nothing is written on this wall yet.</p>}
      {history !== null && history.length > 0 && (
        <ol className="rock-history">
          {history.map((event, index) => (
            <HistoryLine key={`${event.digest}-${event.kind}-${index}`} event={event} />
          ))}
        </ol>
      )}
      {isHistoryComplete === false && <p className="mt-4 text-quiet">Earlier events are still being read.</p>}
    </section>
  );
}

interface ReceiptsProps {
  readonly title: string;
  /** null: not known now. */
  readonly receipts: readonly ShownReceipt[] | null;
  /** Names the receiver of each payout, on a rock's page: the rock may have another owner by now. */
  readonly namesReceiver?: boolean;
}

const titleMax = 80;

/** Rulings R9: amounts received in payouts, each with its transaction; nothing where there are none. */
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
                  to <Holder address={address} />
                </span>
              )}
              <When at={at} />
              <TransactionLink href={explorerUrl} of={foreignText(called, titleMax)} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
