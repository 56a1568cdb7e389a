import type { ReactNode } from 'react';
import { collectionLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { ExternalLink } from '../../ui/links.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { FigureNote, StateMark, SumLines } from './figure-note.tsx';
import { averagePriceMeaning, nftRows, unlistedLine, whereHeld } from './holdings-rows.ts';
import { formatAveragePrice, formatCount, formatSui, formatUsd } from './number-format.ts';
import type { ShownFigure, ShownNft, ShownTreasury } from './treasury-answer.ts';

const averagePriceHead = (
  <span className="max-sm:[&_button]:min-h-11">
    <Tooltip text={averagePriceMeaning}>Avg Price (SUI)</Tooltip>
  </span>
);

/** On a phone a row becomes a block without a head: each number carries its column's name. */
const numberColumn = (name: string, text: (holding: ShownNft) => string, head?: ReactNode): Column<ShownNft> => ({
  name,
  numeric: true,
  head: head && (
    <>
      <span className="max-sm:hidden">{head}</span>
      <span className="sm:hidden">{name}</span>
    </>
  ),
  cell: (holding) => (
    <span className="flex justify-between gap-4 sm:block">
      <span className="font-normal text-quiet sm:hidden">{head ?? name}</span>
      <span className="wrap-anywhere">{text(holding)}</span>
    </span>
  ),
});

/** Specification 2: the columns of the NFT holdings table. */
const columns: readonly Column<ShownNft>[] = [
  { name: 'Collection', cell: (holding) => <CollectionCell holding={holding} /> },
  numberColumn('Count', ({ count }) => formatCount(count)),
  numberColumn('Avg Price (SUI)', ({ averagePriceSui }) => formatAveragePrice(averagePriceSui), averagePriceHead),
  numberColumn('Total Value (USD)', ({ totalValueUsd }) => formatUsd(totalValueUsd)),
];

const blocksOnPhones =
  'max-sm:[&_table]:block max-sm:[&_tbody]:block max-sm:[&_thead]:sr-only max-sm:[&_tr]:block max-sm:[&_tr]:border-b max-sm:[&_tr]:border-line max-sm:[&_tr]:py-4 max-sm:[&_tbody_th]:block max-sm:[&_td]:block max-sm:[&_:is(td,th)]:border-0 max-sm:[&_:is(td,th)]:p-0 max-sm:[&_td]:pt-1';

interface NftHoldingsProps {
  readonly snapshot: ShownTreasury;
  readonly holdings: readonly ShownNft[];
}

/** Specification 2, Full Transparency: NFT holdings table, under its totals in SUI and in USD. */
export function NftHoldings({ snapshot, holdings }: NftHoldingsProps) {
  const { figures, nftTotalValueSui, nftTotalValueUsd } = snapshot;
  const rows = nftRows(holdings);
  const values = rows.map(({ totalValueUsd }) => totalValueUsd);
  return (
    // Not a landmark of its own: the table inside is one, under the same name.
    <div>
      <SectionHeading id="nft-holdings" title="NFT Holdings" level={3} />
      <dl className="slab mt-4 grid gap-x-8 gap-y-4 p-6 sm:grid-cols-2">
        <Total name="Total NFT Value (SUI)" value={formatSui(nftTotalValueSui)} figure={figures?.nftTotalValueSui} />
        <Total name="Total NFT Value (USD)" value={formatUsd(nftTotalValueUsd)} figure={figures?.nftTotalValueUsd} />
      </dl>
      <div className={`mt-4 ${blocksOnPhones}`}>
        <DataTable
          caption="NFT Holdings"
          columns={columns}
          rows={rows}
          keyOf={(holding) => `${holding.collectionId} ${rows.indexOf(holding)}`}
        />
      </div>
      <SumLines lines={[unlistedLine({ values, total: nftTotalValueUsd })]} />
    </div>
  );
}

interface TotalProps {
  readonly name: string;
  readonly value: string;
  readonly figure: ShownFigure | undefined;
}

const Total = ({ name, value, figure }: TotalProps) => (
  <div className="min-w-0">
    <dt className="figure-label">{name}</dt>
    <dd className="mt-1 text-2xl font-semibold tabular-nums wrap-anywhere">{value}</dd>
    {figure && (
      <dd className="mt-2">
        <FigureNote {...figure} />
      </dd>
    )}
  </div>
);

function CollectionCell({ holding }: { readonly holding: ShownNft }) {
  const { explorerUrl } = useSiteConfig();
  const { collectionId, collectionName, state, floorAsOf } = holding;
  const href = holding.explorerUrl ?? (collectionId && collectionLink(explorerUrl, collectionId));
  const name = foreignText(collectionName, 40);
  return (
    <span className="block whitespace-normal sm:min-w-56">
      <bdi className="block font-semibold wrap-anywhere">{name}</bdi>
      <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-normal text-quiet">
        <StateMark state={state} asOf={floorAsOf} />
        <span>{whereHeld(holding)}</span>
        {href !== null && (
          <ExternalLink href={href} className="quiet-link max-md:inline-flex max-md:min-h-11 max-md:items-center">
            <span className="sr-only">{name} </span>on chain
          </ExternalLink>
        )}
      </span>
    </span>
  );
}
