import type { ReactNode } from 'react';
import { coinLink, collectionLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { sourceInWords } from '../../shared/source-status.ts';
import { Age } from '../../ui/age.tsx';
import { ExternalLink } from '../../ui/links.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { StateMark, SumLines, FigureNote } from './figure-note.tsx';
import {
  iconLetter,
  abbreviatedType,
  type TokenRow,
  tokenRows,
  unlistedLine,
  averagePriceMeaning,
  nftRows,
  whereHeld,
} from './holdings-rows.ts';
import {
  exactPriceHiddenByRounding,
  formatBalance,
  formatUnitPrice,
  formatUsd,
  formatAveragePrice,
  formatCount,
  formatSui,
} from './number-format.ts';
import type { ShownToken, ShownFigure, ShownNft, ShownTreasury } from './treasury-answer.ts';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

interface TokenHoldingsProps {
  readonly tokens: readonly ShownToken[];
  /** As shown elsewhere on the page; null: unknown. */
  readonly totalUsd: number | null;
}

/** Specification 2, Full Transparency: token holdings list. Its lines add up to the tokens' total. */
export function TokenHoldings({ tokens, totalUsd }: TokenHoldingsProps) {
  const { rows, hiddenCount } = tokenRows(tokens);
  const values = rows.map(({ token }) => token.usdValue);
  const total = totalUsd === null ? null : { name: 'All tokens', text: formatUsd(totalUsd) };
  return (
    <section aria-labelledby="token-holdings">
      <SectionHeading id="token-holdings" title="Token Holdings" level={3} />
      {rows.length === 0 ? (
        <p className="slab mt-4 p-6 text-quiet">There are no priced tokens in the treasury wallet right now.</p>
      ) : (
        <ol aria-labelledby="token-holdings" className="slab mt-4 divide-y divide-line">
          {rows.map((row) => (
            <TokenItem key={`${row.token.coinType} ${row.rank}`} row={row} />
          ))}
        </ol>
      )}
      <SumLines lines={[unlistedLine({ values, total: totalUsd, hiddenCount }), total]} className="px-4 sm:px-6" />
    </section>
  );
}

function TokenItem({ row: { token, rank } }: { readonly row: TokenRow }) {
  const symbol = foreignText(token.symbol, 12);
  return (
    <li className="grid grid-cols-[1.75rem_2.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2 px-4 py-4 sm:grid-cols-[1.75rem_2.5rem_minmax(0,1fr)_auto] sm:px-6 lg:grid-cols-[1.75rem_2.5rem_minmax(0,1fr)_minmax(0,1.3fr)_minmax(9rem,auto)]">
      <span className="text-sm text-quiet tabular-nums">#{rank}</span>
      <TokenMark symbol={token.symbol} />
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <strong>
            <bdi>{symbol}</bdi>
          </strong>{' '}
          {token.name !== null && <bdi className="text-sm text-quiet">{foreignText(token.name, 28)}</bdi>}
        </p>
        <p className="text-sm text-quiet tabular-nums wrap-anywhere">
          {formatBalance(token.humanBalance)} <bdi>{symbol}</bdi>
        </p>
      </div>
      <div className="col-start-3 flex flex-wrap items-baseline justify-between gap-x-4 sm:col-start-4 sm:block sm:max-w-80 sm:text-right lg:col-start-5 lg:row-start-1">
        <p className="font-semibold wrap-anywhere">{formatUsd(token.usdValue)}</p>
        <p className="text-sm text-quiet wrap-anywhere">
          <span className="sr-only">Unit price </span>
          {formatUnitPrice(token.price)} <span aria-hidden="true">each</span>
        </p>
      </div>
      <TokenProof token={token} symbol={symbol} />
    </li>
  );
}

/** Source and age of the price, and the type on chain. The age is the price's own; our reading is more recent. */
function TokenProof({ token, symbol }: { readonly token: ShownToken; readonly symbol: string }) {
  const { explorerUrl } = useSiteConfig();
  const { coinType, priceSource, priceAsOf } = token;
  const href = token.explorerUrl ?? (coinType && coinLink(explorerUrl, coinType));
  const exact = exactPriceHiddenByRounding(token.price);
  return (
    <div className="col-span-full flex sm:col-start-3 lg:col-span-1 lg:col-start-4 lg:row-start-1 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
      <StateMark state={token.state} />
      {priceSource !== null && (
        <span className="wrap-anywhere">
          Price: {sourceInWords(priceSource)}
          <Age asOf={priceAsOf} before=", from " />
          {exact !== null && <span>, {exact} unrounded</span>}
        </span>
      )}
      {href !== null && (
        <ExternalLink
          href={href}
          className="quiet-link wrap-anywhere max-md:inline-flex max-md:min-h-11 max-md:items-center"
        >
          <span className="sr-only">{symbol} on chain: </span>
          {abbreviatedType(coinType ?? 'on chain')}
        </ExternalLink>
      )}
    </div>
  );
}

/** A hewn pebble with a letter instead of the token's icon: nothing is loaded from an address chosen by a token's author. */
const TokenMark = ({ symbol }: { readonly symbol: string | null }) => (
  <svg viewBox="0 0 40 40" className="size-10 shrink-0" aria-hidden="true">
    <path d="M12,3 L28,2 L38,14 L36,29 L25,38 L11,36 L2,24 L4,11 Z" className="fill-raised stroke-line" />
    <path d="M12,3 L28,2 L22,13 L4,11 Z" className="fill-line opacity-60" />
    <text x="20" y="27" textAnchor="middle" className="fill-ink text-lg font-semibold">
      {iconLetter(symbol)}
    </text>
  </svg>
);

const averagePriceHead = (
  <span className="max-sm:[&_button]:min-h-11">
    <Tooltip text={averagePriceMeaning}>Avg Price (SUI)</Tooltip>
  </span>
);

/** On a phone a row becomes a block without a table head, so each number carries its column's name. */
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
      <p className="mt-3 text-sm text-quiet">
        A piece that is for sale outside a kiosk is with the marketplace and not counted here. Sweeps and the pages of
        the rocks still count it.
      </p>
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
