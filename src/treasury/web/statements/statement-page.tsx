import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';

import { foreignText } from '../../../shared/foreign-text.ts';
import { picoUsdDecimals, toNumber } from '../../../shared/money.ts';
import { sourceInWords } from '../../../shared/source-status.ts';
import { monthName } from '../../../shared/utc-month.ts';
import { buttonClass, LinkButton } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { counted, wholeNumberText } from '../../../ui/decimal-text.ts';
import { PageLink } from '../../../ui/links.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { readPublishedFile } from '../../../ui/api/published-file.ts';
import { Answered } from '../../../ui/query-error.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { ServerSnapshot, useInBrowser } from '../../../ui/server-written.tsx';
import { DataTable } from '../../../ui/tables.tsx';
import type { Statement } from '../../core/statement-check.ts';
import { coinName, numberText } from '../movement-words.ts';
import { closingText, formatMicroUsd, formatStatedPrice } from '../number-format.ts';

import { examine, type Examined, FileCheck, Findings } from './findings.tsx';
import { monthIn, statementFile, statementLink } from './statement-addresses.ts';

/** The statement of one month, recalculated by the browser that shows it (docs/decisions/0037). */
export function StatementPage() {
  const [path] = useLocation();
  const month = useInBrowser<string>(() => monthIn(path) ?? '', '');
  const query = useQuery({
    queryKey: [statementFile(month)],
    queryFn: async ({ signal }) => examine(await readPublishedFile(statementFile(month), signal), signal),
    enabled: month !== '',
    staleTime: Infinity,
  });
  return (
    <section className="wrap min-h-dvh py-12 sm:py-16">
      <h1 className="title-2">{month === '' ? 'Statement of a month' : `Statement of ${monthName(month)}`}</h1>
      <p className="mt-4 max-w-2xl text-lg text-quiet">
        Made once, after the end of the month (UTC), from the movements on the chain. NFTs are listed in the file and
        have no value here.
      </p>
      <div className="needs-script mt-8 min-h-dvh">
        <Answered query={query} failure="Failed to load this statement" loading={<LoadingLines count={8} />}>
          {(examined) => <ShownStatement examined={examined} />}
        </Answered>
      </div>
      <ServerSnapshot of="statement" />
      <nav aria-label="Statements" className="mt-8 flex flex-wrap gap-3">
        <LinkButton to="/statements">All statements</LinkButton>
        <LinkButton look="ghost" to="/rockfolio">
          The treasury
        </LinkButton>
      </nav>
      <FileCheck />
    </section>
  );
}

function ShownStatement({ examined }: { readonly examined: Examined }) {
  const { statement, published, monthBefore } = examined;
  if (statement === null) return <Findings examined={examined} />;
  const { month, entries, unaskedTransactions, totals } = statement;
  return (
    <>
      <Findings examined={examined} />
      <Facts
        className="mt-8 grid max-w-4xl"
        of={{
          Movements: wholeNumberText(entries.length),
          Unsolicited: unaskedTransactions > 0 && `${counted(unaskedTransactions, 'transaction')}, not counted`,
          'Value at the end': closingText(totals),
          'SHA-256': published !== null && <code>{published.sha256}</code>,
          'Month before': monthBefore !== null && (
            <PageLink to={statementLink(monthBefore)} className="link">
              {monthName(monthBefore)}
            </PageLink>
          ),
        }}
      />
      <p className="mt-4">
        <a className={buttonClass('stone')} href={statementFile(month)} download>
          Download the statement (JSON)
        </a>
      </p>
      <p className="mt-3 text-quiet">
        Without this page: <code>sha256sum {month}.json</code> on the file gives the same SHA-256.
      </p>
      <SectionHeading title="Sums" level={2} className="mt-10 mb-4" />
      <CoinSums coins={statement.coins} />
    </>
  );
}

type Coin = Statement['coins'][number];

function CoinSums({ coins }: Pick<Statement, 'coins'>) {
  const amount = (field: 'openingRaw' | 'unaskedRaw' | 'inRaw' | 'outRaw' | 'closingRaw') => (coin: Coin) =>
    numberText({ raw: coin[field], decimals: coin.decimals });
  const hasUnsolicited = coins.some(({ unaskedRaw }) => unaskedRaw !== '0');
  return (
    <DataTable
      caption="Sums of the month"
      rows={coins}
      keyOf={({ coinType }) => coinType}
      columns={[
        { name: 'Coin', cell: nameCell },
        { name: 'Opening', cell: amount('openingRaw'), numeric: true },
        ...(hasUnsolicited ? [{ name: '+ unsolicited', cell: amount('unaskedRaw'), numeric: true }] : []),
        { name: '+ in', cell: amount('inRaw'), numeric: true },
        { name: '− out', cell: amount('outRaw'), numeric: true },
        { name: '= closing', cell: amount('closingRaw'), numeric: true },
        { name: 'Price', cell: priceText, numeric: true },
        { name: 'Value', cell: valueText, numeric: true },
        { name: 'Price source', cell: priceSource },
      ]}
    />
  );
}

const nameCell = (coin: Coin) => <bdi>{coinName(coin)}</bdi>;

const valueText = ({ valueMicroUsd }: Coin): string => formatMicroUsd(valueMicroUsd);

const priceText = ({ pricePicoUsd }: Coin): string =>
  formatStatedPrice(pricePicoUsd === null ? null : toNumber(BigInt(pricePicoUsd), picoUsdDecimals));

/** 'DefiLlama, 2026-10-31 23:00 UTC' */
const priceSource = ({ priceSource: source, priceAt }: Coin) =>
  source === null || priceAt === null ? (
    '–'
  ) : (
    <span className="whitespace-nowrap">
      {foreignText(sourceInWords(source), 40)}, {priceAt.slice(0, 10)} {priceAt.slice(11, 16)} UTC
    </span>
  );
