import { useId, useState } from 'react';
import type * as z from 'zod/mini';

import { objectLink, transactionLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { suiText } from '../../shared/money.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import { Age } from '../../ui/age.tsx';
import { readable } from '../../ui/api/answer-schema.ts';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { counted } from '../../ui/decimal-text.ts';
import { ExternalLink } from '../../ui/links.tsx';
import { EmptyState, LoadingLines } from '../../ui/placeholders.tsx';
import { Answered } from '../../ui/query-error.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { DataTable, newestFirst, Pager } from '../../ui/tables.tsx';
import { sweepPiecesAnswer, sweepsAnswer } from '../ledger-contract.ts';
import { allocationCategories } from './allocation-categories.tsx';
import { StateMark } from './figure-note.tsx';
import { abbreviatedType } from './holdings-rows.ts';
import { formatCount, formatUsdChange } from './number-format.ts';

const resultNeeds = ['costMist', 'proceedsMist', 'resultMist'] as const;
const sweepsPart = readable(sweepsAnswer, [...resultNeeds, 'sweeps', 'collectionType', 'heldAtFloorMist']);
type ShownSweeps = z.output<typeof sweepsPart>;
type ShownSweep = ShownSweeps['sweeps'][number];

const sweptNftsPage = readable(sweepPiecesAnswer, [...resultNeeds, 'pieces', 'objectId', 'boughtDigest']);
type SweptNft = z.output<typeof sweptNftsPage>['pieces'][number];

const suiOf = (amount: string | null): string => (amount === null ? '–' : suiText(BigInt(amount)));
const suiChangeOf = (amount: string | null): string =>
  `${amount !== null && BigInt(amount) > 0n ? '+' : ''}${suiOf(amount)}`;
const nameOf = ({ name, collectionType }: ShownSweep): string =>
  foreignText(name ?? abbreviatedType(collectionType), 60);

/** Rulings R8: what the treasury bought of each collection and the result, beside the declared win rate. */
export function Sweeps() {
  const query = usePublicAnswer('/api/treasury/sweeps', sweepsPart);
  return (
    <section aria-labelledby="sweeps" className="below-fold">
      <SectionHeading id="sweeps" title="Sweeps" level={3}>
        What the treasury bought of each collection, what came of it, and what the same SUI would have done.
      </SectionHeading>
      <div className="needs-script mt-6">
        <Answered query={query} failure="Failed to load the sweeps" loading={<LoadingLines count={3} />}>
          {(answer) => <SweepResults answer={answer} />}
        </Answered>
      </div>
    </section>
  );
}

function SweepResults({ answer }: { readonly answer: ShownSweeps }) {
  const { sweeps, state, asOf } = answer;
  if (sweeps.length === 0) return <EmptyState>{noPurchaseText(answer)}</EmptyState>;
  return (
    <>
      <div className="mb-4 text-quiet">
        {state === 'unavailable' ? stillReading : <StateMark state={state} asOf={asOf} />}
      </div>
      <WinRate of={answer} />
      <SweepTable sweeps={sweeps} />
      {sweeps.map((sweep) => (
        <SweptNfts key={sweep.collectionType} sweep={sweep} />
      ))}
    </>
  );
}

const stillReading = 'The movements are still being read: purchases and sales may be missing here.';

/** Only a complete ledger can say that there was none. */
function noPurchaseText({ state, complete }: ShownSweeps): string {
  if (state === 'unavailable') return stillReading;
  return complete === true ? 'Nothing was bought yet.' : 'No purchase is among the known movements.';
}

const declaredWinRate = allocationCategories
  .flatMap(({ facts }) => facts)
  .find(({ name }) => name === 'Win rate')?.value;

function WinRate({ of: { winRate, sweeps, complete } }: { readonly of: ShownSweeps }) {
  const { won = null, decided = null, percent = null } = winRate ?? {};
  // An NFT sold from a kiosk has no result until it is paid.
  const isNothingSold = complete === true && sweeps.every(({ sold }) => sold === 0);
  const none = isNothingSold ? 'nothing sold yet' : 'no result is known yet';
  return (
    <p className="mb-4">
      Win rate as counted:{' '}
      <strong className="tabular-nums">{percent === null ? none : `${percent.toFixed(2)}%`}</strong>
      {percent !== null &&
        won !== null &&
        decided !== null &&
        `, ${formatCount(won)} of ${counted(decided, 'piece')} sold for more than they cost`}
      . <span className="text-quiet">Declared by the team: {declaredWinRate}.</span>
    </p>
  );
}

const nameCell = (row: ShownSweep) => <bdi>{nameOf(row)}</bdi>;

const SweepTable = ({ sweeps }: { readonly sweeps: readonly ShownSweep[] }) => (
  <>
    <DataTable
      caption="Result of each collection bought"
      rows={sweeps}
      keyOf={({ collectionType }) => collectionType}
      columns={[
        { name: 'Collection', cell: nameCell },
        { name: 'Pieces', cell: piecesText },
        { name: 'Cost', cell: ({ costMist }) => suiOf(costMist), numeric: true },
        { name: 'Sold for', cell: ({ proceedsMist }) => suiOf(proceedsMist), numeric: true },
        { name: 'Still held, at floor', cell: ({ heldAtFloorMist }) => suiOf(heldAtFloorMist), numeric: true },
        { name: 'Result', cell: ({ resultMist }) => suiChangeOf(resultMist), numeric: true },
        { name: 'Result in USD', cell: ({ resultUsd }) => formatUsdChange(resultUsd), numeric: true },
        { name: 'Same SUI held', cell: ({ suiHeldUsd }) => formatUsdChange(suiHeldUsd), numeric: true },
      ]}
    />
    <p className="mt-2 text-quiet">
      Pieces bought together, or paid out together, share the amount in equal parts. USD at the prices of the time.
      ‘Same SUI held’: what the SUI spent would have gained or lost over the same time. ‘–’ means unknown. A kiosk that
      was given away still counts as held.
    </p>
  </>
);

const piecesText = ({ bought, sold, givenAway, held }: ShownSweep): string =>
  [`${formatCount(bought)} bought`, partText(sold, 'sold'), partText(givenAway, 'given away'), partText(held, 'held')]
    .filter((each) => each !== null)
    .join(', ');

const partText = (count: number | null, what: string): string | null =>
  count === null || count === 0 ? null : `${formatCount(count)} ${what}`;

function SweptNfts({ sweep }: { readonly sweep: ShownSweep }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">
        Each piece of <bdi>{nameOf(sweep)}</bdi>
      </summary>
      {isOpen && <SweptNftList collectionType={sweep.collectionType} />}
    </details>
  );
}

function SweptNftList({ collectionType }: { readonly collectionType: string }) {
  const [page, setPage] = useState(1);
  const listId = useId();
  const query = usePublicAnswer(
    `/api/treasury/sweeps/pieces?${new URLSearchParams({ collection: collectionType, page: String(page) })}`,
    sweptNftsPage,
  );
  return (
    <Answered query={query} failure="Failed to load the pieces" loading={<LoadingLines count={3} />}>
      {(shown) => (
        <div aria-busy={query.isPlaceholderData}>
          <ol id={listId} className="rock-history">
            {shown.pieces.map((nft) => (
              <SweptNftLine key={nft.boughtDigest + nft.objectId} nft={nft} />
            ))}
          </ol>
          <Pager label="Pages of pieces" {...shown} startId={listId} words={newestFirst} onPage={setPage} />
        </div>
      )}
    </Answered>
  );
}

function SweptNftLine({ nft }: { readonly nft: SweptNft }) {
  const { objectId, place, boughtAt, boughtDigest, paidDigest } = nft;
  const { costMist, proceedsMist, resultMist, resultUsd, suiHeldUsd } = nft;
  const { explorerUrl } = useSiteConfig();
  return (
    <li className="rock-event">
      <p className="font-semibold wrap-anywhere tabular-nums">
        <ExternalLink href={objectLink(explorerUrl, objectId)}>{shortAddress(objectId)}</ExternalLink>{' '}
        {place === null ? 'Not known' : placeWords[place]}
        {resultMist !== null && `, ${suiChangeOf(resultMist)}`}
      </p>
      <p className="rock-event-line">
        <ExternalLink href={transactionLink(explorerUrl, boughtDigest)}>Bought for {suiOf(costMist)}</ExternalLink>
        <Age asOf={boughtAt} className="text-quiet" />
        {paidDigest !== null && (
          <ExternalLink href={transactionLink(explorerUrl, paidDigest)}>Sold for {suiOf(proceedsMist)}</ExternalLink>
        )}
        {place === 'sold' && paidDigest === null && (
          <span className="text-quiet">The proceeds are still in a kiosk</span>
        )}
        {resultUsd !== null && (
          <span className="text-quiet tabular-nums">
            {formatUsdChange(resultUsd)}, same SUI held {formatUsdChange(suiHeldUsd)}
          </span>
        )}
      </p>
    </li>
  );
}

const placeWords = { held: 'Held', sold: 'Sold', 'given-away': 'Given away' } as const;
