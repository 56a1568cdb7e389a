import { useLocation } from 'wouter';
import { hasStatus } from '../../../ui/api/api-client.ts';
import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { Age } from '../../../ui/age.tsx';
import { StateBadge } from '../../../ui/badge.tsx';
import { ExternalLinkButton, LinkButton } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { ExternalLink, PageLink } from '../../../ui/links.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { SectionBoundary } from '../../../ui/section-boundary.tsx';
import { StrataDivider } from '../../../ui/section-heading.tsx';
import { ServerSnapshot, useFullTitle, useSiteConfig } from '../../../ui/server-written.tsx';
import { objectLink, nftAtMarketplace } from '../../../shared/explorer-links.ts';
import { colorLink, rockLink, rockNumberIn } from './rock-addresses.ts';
import { OwnerLink } from './rock-card.tsx';
import { Receipts, RockHistory } from './rock-history.tsx';
import { RockPortrait } from './rock-portrait.tsx';
import { listedAt, ownName, placeText, rarityText, rockInFull, suiTextOr } from './rock-words.ts';
import { rockPage, type ShownRockPage } from './rocks-answer.ts';
import { TreasuryShare } from './treasury-share.tsx';

const halves = 'wrap grid gap-x-16 gap-y-10 py-12 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:items-start';

/** Rulings R8: one rock. The page is built once for all of them: the server fills in the number, the browser reads it from the address. */
export function RockPage() {
  const [path] = useLocation();
  const number = typeof document === 'undefined' ? '@@rockNumber@@' : rockNumberIn(path);
  const query = usePublicAnswer(number === null ? null : `/api/rocks/${number}`, rockPage);
  const { data } = query;
  useFullTitle(data === undefined ? null : rockInFull(data.number, data.color));
  const isNotMinted = data === undefined && hasStatus(query.error, 404, 400);
  return (
    <div className="min-h-dvh">
      <section className={halves}>
        <RockPortrait isLarge own={number} color={data?.color ?? null} />
        <div>
          <h1 className="title-1 nft-title">{number === null ? 'A rock' : `Rock #${number}`}</h1>
          {isNotMinted ? (
            <NotMinted />
          ) : (
            <div className="needs-script rock-facts">
              <Answered
                query={query}
                failure="Failed to load this rock"
                loading={<LoadingLines count={6} lineClassName="h-8 w-full" />}
              >
                {(rock) => <RockFacts rock={rock} />}
              </Answered>
            </div>
          )}
          <ServerSnapshot of="rock" />
        </div>
      </section>
      {data !== undefined && (
        <>
          <StrataDivider />
          <div className={halves}>
            <SectionBoundary name="The history">
              <RockHistory history={data.history} isHistoryComplete={data.isHistoryComplete} />
            </SectionBoundary>
            <div className="space-y-10">
              <Receipts title="What it received" receipts={data.payouts} namesReceiver />
              <TreasuryShare count={1} level={3} />
            </div>
          </div>
          <Neighbors rock={data} />
        </>
      )}
    </div>
  );
}

const NotMinted = () => (
  <div className="mt-6">
    <EmptyState
      action={
        <LinkButton look="torch" to="/rocks">
          See all rocks
        </LinkButton>
      }
    >
      There is no rock with this number: it is still part of the mountain, or it was burned.
    </EmptyState>
  </div>
);

function RockFacts({ rock }: { readonly rock: ShownRockPage }) {
  const { linkMarketplace, explorerUrl } = useSiteConfig();
  const { color, listing, lastSale, objectId, state, asOf } = rock;
  const rarity = rarityText(color);
  const forSale = objectId === null ? null : nftAtMarketplace(linkMarketplace, objectId);
  return (
    <>
      <p className="mt-3 text-lg">
        {color === null ? (
          'Its color is not known right now.'
        ) : (
          <PageLink to={colorLink(color)} className="link">
            {color}
          </PageLink>
        )}
        {rarity !== null && <span className="text-quiet"> {rarity}</span>}
      </p>
      <p className="rock-price">{listing === null ? 'Not for sale' : listedAt(listing)}</p>
      {listing !== null && (
        <ExternalLinkButton look="torch" href={forSale ?? linkMarketplace}>
          {forSale === null ? 'See the collection at the marketplace' : 'Buy it at the marketplace'}
        </ExternalLinkButton>
      )}
      <Facts
        className="mt-6"
        of={{
          Name: ownName(rock),
          Owner: <OwnerLink owner={rock.owner} />,
          'Where it lies': placeText(rock.place),
          'Last sale': lastSale === null ? 'None known' : <LastSale sale={lastSale} />,
          Object: objectId !== null && (
            <ExternalLink href={objectLink(explorerUrl, objectId)}>See it on the chain</ExternalLink>
          ),
        }}
      />
      {state !== null && (
        <p className="mt-4">
          <StateBadge state={state} asOf={asOf} />
        </p>
      )}
    </>
  );
}

const LastSale = ({ sale: { priceMist, at } }: { readonly sale: NonNullable<ShownRockPage['lastSale']> }) => (
  <>
    {suiTextOr(priceMist, 'Price not known')}
    <Age asOf={at} before=", " />
  </>
);

/** On a phone the three do not fit in one row, and a number must not break. */
const Neighbors = ({ rock: { previous, next } }: { readonly rock: ShownRockPage }) => (
  <nav
    aria-label="Other rocks"
    className="wrap page-steps max-sm:flex max-sm:flex-wrap max-sm:justify-between max-sm:*:last:ml-auto"
  >
    {previous === null ? <span /> : <LinkButton to={rockLink(previous)}>{`Previous:\u00A0#${previous}`}</LinkButton>}
    <LinkButton look="ghost" to="/rocks">
      All rocks
    </LinkButton>
    {next === null ? <span /> : <LinkButton to={rockLink(next)}>{`Next:\u00A0#${next}`}</LinkButton>}
  </nav>
);
