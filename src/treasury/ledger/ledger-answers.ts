import type { Selectable } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import { transactionLink } from '../../shared/explorer-links.ts';
import { csvLine, type CsvValue } from '../../shared/csv.ts';
import { microUsdDecimals, picoUsdDecimals, toDecimalText, toNumber, valueMicroUsd } from '../../shared/money.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { sumIfAllKnown } from '../core/ledger-days.ts';
import {
  type LedgerAnswer,
  ledgerAnswer,
  type LedgerEntryAnswer,
  ledgerPageSize,
  type PayoutFacts,
} from '../ledger-contract.ts';
import { ledgerCsvQuery, ledgerQuery } from './ledger-requests.ts';
import type { CoinFormat, LedgerSummary } from './ledger-summary.ts';
import type { LedgerParts } from './ledger-parts.ts';
import type { LedgerFilter } from './ledger-queries.ts';

interface AnswerParts extends Pick<LedgerParts, 'queries' | 'notes' | 'rocks' | 'settings' | 'clock'> {
  readonly summary: LedgerSummary;
  /** The current facts about payouts. */
  readonly payouts: () => PayoutFacts;
}

export type LedgerAnswers = ReturnType<typeof createLedgerAnswers>;

type Rows<Table extends keyof Database> = readonly Selectable<Database[Table]>[];

const entriesAtOnce = 500;
/** Cached entry counts, one per filter, kept until entries change: counting is the slowest part of a page. None while the past is first read. */
const keptCountsMax = 500;

export function createLedgerAnswers(parts: AnswerParts) {
  const { queries, summary, notes, payouts, clock } = parts;
  const described = async (rows: Rows<'ledgerEntries'>): Promise<readonly DescribedEntry[]> => {
    const addresses = new Set(rows.flatMap(({ counterparty }) => counterparty ?? []));
    const [entries, noteOf, declaredOf] = await Promise.all([
      queries.withMoves(rows),
      notes.notesOf(rows.map(({ digest }) => digest)),
      notes.namesOf([...addresses]),
    ]);
    return entries.map((entry) => ({
      ...entry,
      note: noteOf.get(entry.row.digest) ?? null,
      declared: declaredOf.get(entry.row.counterparty ?? '') ?? null,
    }));
  };
  const withPayouts = (filter: LedgerFilter): LedgerFilter => ({ ...filter, payoutDigests: payouts().digests() });
  const noCounts = () => createAnswerCache<number>(clock, () => Infinity, keptCountsMax);
  let counts = noCounts();
  const count = (filter: LedgerFilter): Promise<number> => {
    const ask = () => queries.count(withPayouts(filter));
    return summary.reach().isComplete ? counts(JSON.stringify(filter), ask) : ask();
  };
  return {
    /** To be called when entries were added or their kinds changed. */
    forget: (): void => {
      counts = noCounts();
    },
    page: async (filter: LedgerFilter, page: number): Promise<LedgerAnswer> => {
      const place = { offset: (page - 1) * ledgerPageSize, limit: ledgerPageSize };
      const rows = await queries.page(withPayouts(filter), place);
      // Counted after the rows, since more may be stored in between.
      const total = await count(filter);
      const entries = (await described(rows)).map((each) => entryAnswer(each, parts));
      return { ...summary.figures(), total, page, pageSize: ledgerPageSize, entries };
    },
    /** Every entry, newest first, one line for each coin that moved. */
    csv: async function* csv(filter: LedgerFilter): AsyncIterable<string> {
      yield `${csvLine(columns.map(([name]) => name))}\r\n`;
      let rows: Rows<'ledgerEntries'> = [];
      do {
        rows = await queries.before(withPayouts(filter), rows.at(-1), entriesAtOnce);
        for (const entry of await described(rows)) yield csvLines(entry, parts);
      } while (rows.length === entriesAtOnce);
    },
  };
}

/** Rulings R8: the ledger as pages and as one file. */
export const ledgerRoutes = (answers: LedgerAnswers, summary: LedgerSummary): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/treasury/ledger',
    access: 'public',
    summary:
      'Every transaction of the treasury, newest first, in pages of 50; and the sum of each coin beside its balance on chain',
    query: ledgerQuery,
    answer: ledgerAnswer,
    handle: async ({ query: { page, apart, ...filter } }) => ({
      data: await answers.page({ ...filter, isApart: apart === 'true' }, page),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/treasury/ledger.csv',
    access: 'public',
    summary:
      'Every transaction of the treasury as a CSV file, one line for each coin that moved. It is named incomplete if the ledger is',
    query: ledgerCsvQuery,
    answer: 'raw',
    handle: ({ query: { apart, ...filter } }) => {
      const { complete, progressText } = summary.figures();
      // A file cannot say what it lacks, except by its name.
      if (progressText !== null) return notReadYet;
      return {
        status: 200,
        download: {
          fileName: complete ? 'sui-rocks-ledger.csv' : 'sui-rocks-ledger-incomplete.csv',
          contentType: 'text/csv; charset=utf-8',
          parts: answers.csv({ ...filter, isApart: apart === 'true' }),
        },
      };
    },
  }),
];

const notReadYet: RouteAnswer = {
  status: 503,
  body: { message: 'The movements have not all been read yet. Please try again later.', code: 'ledger-not-read-yet' },
};

interface DescribedEntry {
  readonly row: Selectable<Database['ledgerEntries']>;
  readonly changes: Rows<'ledgerChanges'>;
  readonly nfts: Rows<'ledgerNfts'>;
  readonly note: LedgerEntryAnswer['note'];
  /** What the team declares about the address on the other side. */
  readonly declared: Who | null;
}

type Who = Pick<NonNullable<LedgerEntryAnswer['counterparty']>, 'name' | 'role'>;

function entryAnswer(entry: DescribedEntry, parts: AnswerParts): LedgerEntryAnswer {
  const { row, changes, nfts, note } = entry;
  const { summary, rocks, payouts, settings } = parts;
  const { digest, happenedAt, checkpoint, gasMist, nftCount } = row;
  const payout = payouts().payoutOf(digest);
  return {
    digest,
    at: happenedAt.toISOString(),
    checkpoint,
    kind: payout === null ? row.kind : 'payout',
    payout,
    counterparty: counterpartyOf(entry, rocks),
    changes: changes.map(({ coinType, raw }) => ({ coinType, ...summary.formatOf(coinType), raw: String(raw) })),
    nfts: nfts.map(({ objectId, collectionType, direction }) => ({ objectId, collectionType, direction })),
    nftCount,
    gasMist,
    usdAtTime: usdAtTime(row, changes, summary.formatOf),
    note,
    explorerUrl: transactionLink(settings.explorerUrl, digest),
  };
}

const counterpartyOf = ({ row: { counterparty: address }, declared }: DescribedEntry, rocks: LedgerParts['rocks']) =>
  address === null ? null : { address, ...(declared ?? holderAt(address, rocks) ?? { name: null, role: null }) };

function holderAt(address: string, rocks: LedgerParts['rocks']): Who | null {
  const { count, name } = rocks.holder(address, null);
  return count > 0 ? { name, role: 'holder' } : null;
}

/** Value of what came in, else of what went out, at the prices of the time and without gas. null: a price is unknown. */
function usdAtTime(
  { gasMist }: DescribedEntry['row'],
  changes: DescribedEntry['changes'],
  formatOf: (coinType: string) => CoinFormat,
): number | null {
  const moved = changes
    .map((change) => ({
      ...change,
      amount: change.raw + (change.coinType === suiCoinType ? BigInt(gasMist) : 0n),
    }))
    .filter(({ amount }) => amount !== 0n);
  const ins = moved.filter(({ amount }) => amount > 0n);
  const counted = ins.length > 0 ? ins : moved;
  const values = counted.map(({ coinType, amount, pricePicoUsd }) => {
    const { decimals } = formatOf(coinType);
    if (pricePicoUsd === null || decimals === null) return null;
    return valueMicroUsd(amount < 0n ? -amount : amount, decimals, pricePicoUsd);
  });
  const sum = values.length === 0 ? null : sumIfAllKnown(values);
  return sum === null ? null : toNumber(sum, microUsdDecimals);
}

/** A line for one coin that moved; `change` null: none did. */
interface CsvLine {
  readonly entry: DescribedEntry;
  readonly answer: LedgerEntryAnswer;
  readonly change: DescribedEntry['changes'][number] | null;
  readonly format: CoinFormat;
  /** Cells about the whole entry are filled on its first line only. */
  readonly isFirst: boolean;
}

const amountOf = ({ change, format: { decimals } }: CsvLine): CsvValue =>
  change === null || decimals === null ? null : toDecimalText(change.raw, decimals);

const priceOf = ({ change }: CsvLine): CsvValue =>
  change?.pricePicoUsd == null ? null : toDecimalText(change.pricePicoUsd, picoUsdDecimals);

const nftsOf = ({ entry: { nfts }, isFirst }: CsvLine, wanted: string): CsvValue =>
  isFirst ? nfts.flatMap(({ direction, objectId }) => (direction === wanted ? [objectId] : [])).join(' ') : null;

const columns: readonly (readonly [name: string, cell: (line: CsvLine) => CsvValue])[] = [
  ['at', ({ answer }) => answer.at],
  ['checkpoint', ({ answer }) => answer.checkpoint],
  ['digest', ({ answer }) => answer.digest],
  ['kind', ({ answer }) => answer.kind],
  ['counterparty', ({ answer }) => answer.counterparty?.address],
  ['counterparty_name', ({ answer }) => answer.counterparty?.name],
  ['coin_type', ({ change }) => change?.coinType],
  ['symbol', ({ format }) => format.symbol],
  ['raw', ({ change }) => change?.raw.toString()],
  ['amount', amountOf],
  ['gas_mist', ({ answer, isFirst }) => (isFirst ? answer.gasMist : '0')],
  ['price_usd', priceOf],
  ['price_at', ({ change }) => change?.priceAt?.toISOString()],
  ['price_source', ({ change }) => change?.priceSource],
  ['usd_at_time', ({ answer, isFirst }) => (isFirst ? answer.usdAtTime : null)],
  ['nfts_in', (line) => nftsOf(line, 'in')],
  ['nfts_out', (line) => nftsOf(line, 'out')],
  ['note', ({ answer, isFirst }) => (isFirst ? answer.note?.text : null)],
  ['note_link', ({ answer, isFirst }) => (isFirst ? answer.note?.link : null)],
  ['explorer_url', ({ answer }) => answer.explorerUrl],
  ['nfts_into_escrow', (line) => nftsOf(line, 'into-escrow')],
  ['nfts_out_of_escrow', (line) => nftsOf(line, 'out-of-escrow')],
  ['nft_count', ({ answer, isFirst }) => (isFirst ? answer.nftCount : null)],
  ['counterparty_role', ({ answer }) => answer.counterparty?.role],
];

/** One line for each coin, and one for an entry without any. */
function csvLines(entry: DescribedEntry, parts: AnswerParts): string {
  const answer = entryAnswer(entry, parts);
  const changes = entry.changes.length === 0 ? [null] : entry.changes;
  return changes
    .map((change, index) => {
      const format = change === null ? { symbol: null, decimals: null } : parts.summary.formatOf(change.coinType);
      const line = { entry, answer, change, format, isFirst: index === 0 };
      return `${csvLine(columns.map(([, cell]) => cell(line)))}\r\n`;
    })
    .join('');
}
