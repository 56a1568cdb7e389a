import { useLocation } from 'wouter';
import { accountLink } from '../../../shared/explorer-links.ts';
import { foreignText } from '../../../shared/foreign-text.ts';
import { hasStatus } from '../../../ui/api/api-client.ts';
import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { Age } from '../../../ui/age.tsx';
import { StateBadge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { ExternalLink } from '../../../ui/links.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { Answered, useShownError } from '../../../ui/query-error.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { useInBrowser, useSiteConfig } from '../../../ui/server-written.tsx';
import { HolderField } from './holder-field.tsx';
import { holderIn } from './rock-addresses.ts';
import { LoadingGallery, RockGallery } from './rock-card.tsx';
import { Receipts } from './rock-history.tsx';
import { holderPage, type ShownHolder } from './rocks-answer.ts';
import { TreasuryShare } from './treasury-share.tsx';

const nameMax = 60;

/** Rulings R8: the rocks that an address, or the address behind a name, holds in any place. */
export function HolderPage() {
  const [path] = useLocation();
  const { explorerUrl, treasuryAddress } = useSiteConfig();
  const holder = useInBrowser<string>(() => holderIn(path) ?? '', '');
  const query = usePublicAnswer(holder === '' ? null : `/api/holders/${holder}`, holderPage);
  const { data } = query;
  // A typed name is shown before its address is known.
  const name = data?.name ?? (holder.endsWith('.sui') ? holder : null);
  const address = data?.address ?? (name === null ? holder : '');
  return (
    <section className="wrap min-h-dvh py-12 sm:py-16">
      <h1 className="title-2">{name === null ? 'Whose rocks are these?' : foreignText(name, nameMax)}</h1>
      <p className="holder-address">
        {address !== '' && <ExternalLink href={accountLink(explorerUrl, address)}>{address}</ExternalLink>}
      </p>
      {/* Keeps the content below out of sight until the rocks have loaded, so that it does not visibly move. */}
      <div className="needs-script min-h-[80dvh]">
        <Answered query={query} failure={failureSentence(useShownError(query))} loading={<LoadingGallery count={4} />}>
          {(known) => (
            <>
              {known.address === treasuryAddress && (
                <p className="mb-4">This is the treasury’s wallet. Payouts leave its rocks out.</p>
              )}
              <Holdings holder={known} />
              <div className="mt-16">
                <Receipts title="What was paid here" receipts={known.payouts} />
              </div>
            </>
          )}
        </Answered>
      </div>
      <noscript>
        <p>This page needs JavaScript. The list of all rocks works without it.</p>
      </noscript>
      <SectionHeading title="Another address" level={2} className="mt-16" />
      <HolderField />
    </section>
  );
}

function failureSentence(error: unknown): string {
  if (hasStatus(error, 404)) return 'Nobody has this name';
  return hasStatus(error, 400) ? 'This is neither a Sui address nor a name' : "Failed to load this holder's rocks";
}

function Holdings({ holder }: { readonly holder: ShownHolder }) {
  const { state, asOf, rocks, count } = holder;
  if (state === 'unavailable')
    return <EmptyState>The rocks have not been read yet. They appear here by themselves.</EmptyState>;
  return (
    <>
      {state !== null && <StateBadge state={state} asOf={asOf} />}
      {rocks.length === 0 ? (
        <div className="mt-6">
          <EmptyState
            action={
              <LinkButton look="torch" to="/rocks?listed=true&sort=price">
                See the rocks for sale
              </LinkButton>
            }
          >
            No rock lies here yet. There is always room for a first one.
          </EmptyState>
        </div>
      ) : (
        <>
          <div className="mt-6">
            <TreasuryShare count={count} level={2} />
          </div>
          <h2 className="title-3 mt-10 mb-4">{counted(count ?? rocks.length, 'rock')}</h2>
          <RockGallery label="Rocks held" rocks={rocks} noteOf={heldSince} />
        </>
      )}
    </>
  );
}

const heldSince = ({ since }: ShownHolder['rocks'][number]) =>
  since === null ? (
    <span className="text-quiet">Since when: not known</span>
  ) : (
    <span>
      <span className="text-quiet">Came here </span>
      <Age asOf={since} />
    </span>
  );
