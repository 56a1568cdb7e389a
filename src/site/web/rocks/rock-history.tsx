import { transactionLink } from '../../../shared/explorer-links.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { Age } from '../../../ui/age.tsx';
import { ExternalLink, PageLink } from '../../../ui/links.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { holderLink } from './rock-addresses.ts';
import { eventText, suiText } from './rock-words.ts';
import type { ShownEvent, ShownRockPage } from './rocks-answer.ts';

const Holder = ({ address }: { readonly address: string }) => (
  <PageLink to={holderLink(address)} className="link" title={address}>
    {shortAddress(address)}
  </PageLink>
);

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
        {at === null ? <span className="text-quiet">Time not known</span> : <Age asOf={at} className="text-quiet" />}
        {digest !== null && (
          <ExternalLink href={transactionLink(explorerUrl, digest)}>
            Transaction<span className="sr-only"> of: {eventText(kind)}</span>
          </ExternalLink>
        )}
      </p>
    </li>
  );
}

/** What happened to a rock, newest first. */
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
