import { createHash } from 'node:crypto';

import { z } from 'zod';

import { linkHtml } from '../../http/ready/noscript-parts.ts';
import type { ParameterPage } from '../../http/ready/pages.ts';
import { makeReadyAnswerAsync } from '../../http/ready/ready-answer.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { Refused } from '../../shared/failure.ts';
import { counted } from '../../shared/money.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { monthAfter, monthName, monthOf, monthPattern, monthStart } from '../../shared/utc-month.ts';
import { instantInWords } from '../../ui/age-in-words.ts';
import { priceAt } from '../core/price-at.ts';
import { coinTypesOf, makeStatement, type StatementFacts } from '../core/statement.ts';
import type { Statement } from '../core/statement-check.ts';
import type { LedgerParts } from '../ledger/ledger-parts.ts';
import type { TimeSpan } from '../ledger/ledger-queries.ts';
import type { LedgerProgress } from '../ledger/ledger-store.ts';
import type { LedgerSummary } from '../ledger/ledger-summary.ts';
import { statementsAnswer, type StatementsAnswer, type StatementSummary } from '../ledger-contract.ts';
import { closingText } from '../web/number-format.ts';
import { monthIn, statementFile, statementLink } from '../web/statements/statement-addresses.ts';
import { createStatementStore, statementEntry, type StatementStore } from './statement-store.ts';

/** The monthly statements of the treasury (docs/decisions/0037). Adds its job. */
export function createStatements(parts: LedgerParts, { figures }: LedgerSummary) {
  const { treasuryKey, database, jobs, settings } = parts;
  const store = createStatementStore(database, treasuryKey);
  jobs.add(statementJob({ ...parts, statements: store }));
  const listeners = new Set<() => void>();
  let shown: readonly StatementSummary[] = [];
  const reason = () => reasonForNoMore(figures(), shown.length > 0);
  const answer = (): StatementsAnswer => ({ statements: shown, reason: reason() });
  const find = (month: string): StatementSummary | null => shown.find((each) => each.month === month) ?? null;
  return {
    routes: statementRoutes(answer, store),
    /** Reads the database again. */
    load: async (): Promise<void> => {
      shown = await store.all();
      for (const run of listeners) run();
    },
    /** The answer of GET /api/treasury/statements. */
    answer,
    /** For `<!--snapshot:statements-->`. */
    noscriptHtml: () => statementsNoscriptHtml(answer()),
    page: statementPage(settings.productName, find),
    paths: () => shown.map(({ month }) => statementLink(month)),
    /** Runs after every load. */
    onChange: (run: () => void): void => void listeners.add(run),
  };
}

type LedgerReach = Pick<ReturnType<LedgerSummary['figures']>, 'asOf' | 'progressText' | 'knownUntil' | 'knownSince'>;

function reasonForNoMore({ asOf, progressText, knownUntil, knownSince }: LedgerReach, hasSome: boolean): string | null {
  if (knownUntil !== null) {
    return `There will be no further statements: no node still has all movements after ${instantInWords(knownUntil)}, so the sums could not be proven.`;
  }
  if (hasSome) return null;
  if (knownSince !== null) {
    return 'There are no statements: no node has the first movements of the treasury any more, so a statement would begin with an amount that nobody can prove.';
  }
  if (asOf === null || progressText !== null) {
    return 'The movements of the treasury are still being read. Statements are made after that.';
  }
  return `A statement is made ${whenMade}.`;
}

const whenMade = 'when its month has been over for an hour and the prices of that month are known';

const fileOptions = { contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' };

const statementRoutes = (answer: () => StatementsAnswer, store: Pick<StatementStore, 'body'>): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/treasury/statements',
    access: 'public',
    summary: 'The monthly statements of the treasury, newest first, each with its SHA-256',
    answer: statementsAnswer,
    handle: () => ({ data: answer() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/statements/{month}.json',
    access: 'public',
    summary:
      'The statement of a month as canonical JSON: its movements, prices with source and time, sums, and the hash of the month before',
    params: z.strictObject({
      month: z.string().regex(monthPattern, 'A month is written as in 2026-10.'),
    }),
    answer: 'raw',
    handle: async ({ params: { month } }) => {
      const body = await store.body(month);
      if (body === undefined) throw new Refused('not-found', noStatement(month, answer()));
      return { status: 200, ready: await makeReadyAnswerAsync(body, fileOptions) };
    },
  }),
];

function noStatement(month: string, { statements, reason }: StatementsAnswer): string {
  const first = statements.at(-1);
  if (first !== undefined && month < first.month) return `The first statement is for ${first.month}.`;
  return reason ?? `There is no statement for ${month} yet: it is made ${whenMade}.`;
}

/** Content of `<noscript>` on /statements. It has no foreign text, only months, digits, numbers and our sentences. */
function statementsNoscriptHtml({ statements, reason }: StatementsAnswer): string {
  const lines = statements.map((statement) => `<li>${lineOf(statement)}</li>`);
  return (reason === null ? '' : `<p>${reason}</p>`) + (lines.length === 0 ? '' : `<ul>${lines.join('')}</ul>`);
}

const lineOf = (statement: StatementSummary): string => {
  const { month, entries, sha256 } = statement;
  return (
    `${linkHtml(statementLink(month), monthName(month))}: ${counted(entries, 'movement')}, ${closingText(statement)} at the end, ` +
    `${linkHtml(statementFile(month), 'JSON')}, SHA-256 <code class="wrap-anywhere">${sha256}</code>`
  );
};

/** /statements/2026-10; the not-found page for a month without a statement. */
const statementPage = (productName: string, find: (month: string) => StatementSummary | null): ParameterPage => ({
  name: 'statement',
  find: monthIn,
  countedAs: '/statements/{month}',
  fillingOf: (month) => {
    const statement = find(month);
    if (statement === null) return null;
    const name = monthName(month);
    return {
      values: {
        statementMonth: month,
        statementTitle: `Statement of ${name} | ${productName}`,
        statementDescription:
          `The treasury in ${name}: ${counted(statement.entries, 'movement')}, ${closingText(statement)} at the end. ` +
          'Every sum and the SHA-256 are recalculated in your browser.',
      },
      blocks: { 'snapshot:statement': `<p>${lineOf(statement)}. Checking its sums needs JavaScript.</p>` },
    };
  },
});

export interface StatementParts extends Pick<
  LedgerParts,
  'treasuryKey' | 'store' | 'queries' | 'metadata' | 'pastPrices' | 'publish'
> {
  readonly statements: StatementStore;
}

/** A run reads two short rows, and nothing more if no statement is due. */
const everyMs = 60_000;
const longestRetryMs = 300_000;
const hourMs = 3_600_000;
/** A price counts from at most six hours before the end of the month, and never from after it. */
const priceWithinMs = 6 * hourMs;

/** Makes the statement of every month that is over, oldest first. A statement is made once and never again (docs/decisions/0037). */
export const statementJob = (parts: StatementParts): JobDefinition<object> => ({
  name: 'treasury-statements',
  everyMs,
  longestRetryMs,
  failing: 'The statements of the treasury could not be made',
  run: async (_payload, stop) => {
    const { statements, store, publish } = parts;
    const progress = await store.progress();
    let hasMade = false;
    for (let next = await nextToMake(parts, progress); next !== null; next = await nextToMake(parts, progress)) {
      const statement = makeStatement(await factsOf(parts, next, stop));
      const body = canonicalJson(statement);
      const { month, entries, totals } = statement;
      const { closingMicroUsd, unpricedCoins } = totals;
      const sha256 = createHash('sha256').update(body).digest('hex');
      const made = { month, sha256, body, entries: entries.length, closingMicroUsd, unpricedCoins };
      await statements.save(made);
      hasMade = true;
      stop.throwIfAborted();
    }
    if (hasMade) await publish();
  },
});

interface ToMake extends TimeSpan {
  readonly month: string;
  readonly before: StatementFacts['before'];
}

/** null: no statement is due. The ledger must be known from its beginning and read to an hour past the month, by the chain's own time. */
async function nextToMake(
  { statements, queries }: StatementParts,
  { isComplete, knownSinceCheckpoint, coveredAt }: LedgerProgress,
): Promise<ToMake | null> {
  if (!isComplete || knownSinceCheckpoint !== null || coveredAt === null) return null;
  const last = await statements.last();
  const month = last === undefined ? await firstMonth(queries) : monthAfter(last.month);
  if (month === null) return null;
  const span = { from: monthStart(month), until: monthStart(monthAfter(month)) };
  if (coveredAt.getTime() < span.until.getTime() + hourMs) return null;
  if (!(await statements.isPricedUntil(span.until))) return null;
  if (last === undefined) return { ...span, month, before: null };
  const body = await statements.body(last.month);
  // The ledger was deleted in the meantime.
  if (body === undefined) return null;
  // Written by this job, so it has this form.
  return { ...span, month, before: { sha256: last.sha256, coins: (JSON.parse(body) as Statement).coins } };
}

/** null: nothing has moved yet. */
async function firstMonth(queries: StatementParts['queries']): Promise<string | null> {
  const span = await queries.span();
  return span === null ? null : monthOf(span.first);
}

async function factsOf(parts: StatementParts, { month, before, ...span }: ToMake, stop: AbortSignal) {
  const { treasuryKey, statements, store, queries, metadata, pastPrices } = parts;
  const entries = (await queries.withMoves(await queries.during(span))).map(statementEntry);
  const unaskedTransactions = await queries.count({ isApart: true, during: span });
  const coinTypes = coinTypesOf({ before, entries });
  const coins = await metadata.describe(coinTypes, stop);
  const unsolicited = await statements.unsolicitedSums(coinTypes, span);
  // Unknown coins, which anyone can send, are not priced.
  const known = new Set((await store.sums()).flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : [])));
  const range = { from: new Date(span.until.getTime() - priceWithinMs), to: span.until, every: 'hour' as const };
  // SUI is requested every time: without it, a failed answer would look like coins without a price.
  const priced = [...new Set([suiCoinType, ...coinTypes.filter((coinType) => known.has(coinType))])];
  const prices = await pastPrices.readPastPrices(priced, range, stop);
  const facts: StatementFacts = {
    ...treasuryKey,
    month,
    before,
    entries,
    unaskedTransactions,
    formatOf: (coinType) => {
      const { symbol = null, decimals = null } = coins.get(coinType)?.metadata ?? {};
      return { symbol, decimals };
    },
    // The nearest price may be from after the end of the month.
    priceOf: (coinType) =>
      priceAt(
        (prices.get(coinType) ?? []).filter(({ asOf }) => asOf <= span.until),
        span.until,
        'hour',
      ),
    unsolicitedOf: (coinType) => unsolicited.get(coinType) ?? { everRaw: 0n, ofMonthRaw: 0n },
  };
  return facts;
}
