import { coinLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { sourceInWords } from '../../shared/source-names.ts';
import { Age } from '../../ui/age.tsx';
import { ExternalLink } from '../../ui/links.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { StateMark, SumLines } from './figure-note.tsx';
import { markLetter, shortType, type TokenRow, tokenRows, unlistedLine } from './holdings-rows.ts';
import { exactPriceHiddenByRounding, formatBalance, formatUnitPrice, formatUsd } from './number-format.ts';
import type { ShownToken } from './treasury-answer.ts';

interface TokenHoldingsProps {
  readonly tokens: readonly ShownToken[];
  /** As it is shown elsewhere; null: not known. */
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
      <SumLines lines={[unlistedLine({ values, total: totalUsd, hiddenCount }), total]} />
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

/** Where the price is from, how old it is, and the type on chain. The age is the price's own; the badge's is of our younger reading. */
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
          {priceAsOf !== null && (
            <>
              , from <Age asOf={priceAsOf} />
            </>
          )}
          {exact !== null && `, ${exact} unrounded`}
        </span>
      )}
      {href !== null && (
        <ExternalLink
          href={href}
          className="quiet-link wrap-anywhere max-md:inline-flex max-md:min-h-11 max-md:items-center"
        >
          <span className="sr-only">{symbol} on chain: </span>
          {shortType(coinType ?? 'on chain')}
        </ExternalLink>
      )}
    </div>
  );
}

/** A hewn pebble with a letter in the place of a foreign icon: nothing is loaded from where a token's author says. */
const TokenMark = ({ symbol }: { readonly symbol: string | null }) => (
  <svg viewBox="0 0 40 40" className="size-10 shrink-0" aria-hidden="true">
    <path d="M12,3 L28,2 L38,14 L36,29 L25,38 L11,36 L2,24 L4,11 Z" className="fill-raised stroke-line" />
    <path d="M12,3 L28,2 L22,13 L4,11 Z" className="fill-line opacity-60" />
    <text x="20" y="27" textAnchor="middle" className="fill-ink text-lg font-semibold">
      {markLetter(symbol)}
    </text>
  </svg>
);
