import { z } from 'zod';

import { linkHtml } from '../../http/ready/noscript-parts.ts';
import type { ParameterPage } from '../../http/ready/pages.ts';
import { makeReadyAnswerAsync, type ReadyAnswer } from '../../http/ready/ready-answer.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import type { Clock } from '../../shared/clock.ts';
import { Refused } from '../../shared/failure.ts';
import { counted } from '../../shared/money.ts';
import { monthName, monthPattern } from '../../shared/utc-month.ts';
import { instantInWords } from '../../ui/age-in-words.ts';
import type { LedgerSummary } from '../ledger/ledger-summary.ts';
import type { LedgerParts } from '../ledger/ledger-parts.ts';
import { statementsAnswer, type StatementsAnswer, type StatementSummary } from '../ledger-contract.ts';
import { closingText } from '../web/number-format.ts';
import { monthIn, statementFile, statementLink } from '../web/statements/statement-addresses.ts';
import { statementJob } from './statement-job.ts';
import { createStatementStore, type StatementStore } from './statement-store.ts';

/** The monthly statements of the treasury (docs/decisions/0037). Adds its job. */
export function createStatements(parts: LedgerParts, summary: LedgerSummary) {
  const { treasuryKey, database, jobs, queries, settings, clock } = parts;
  const store = createStatementStore(database, treasuryKey, queries);
  jobs.add(statementJob({ ...parts, statements: store }));
  const files = createStatementFiles(store, clock);
  const listeners = new Set<() => void>();
  let shown: readonly StatementSummary[] = [];
  const answer = (): StatementsAnswer => ({
    data: { statements: shown, reason: reasonForNoMore(summary.figures(), shown.length > 0) },
  });
  const find = (month: string): StatementSummary | null => shown.find((each) => each.month === month) ?? null;
  return {
    routes: statementRoutes(answer, find, files),
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

/** One file per month; about 1 MB for a thousand movements. */
const keptFilesMax = 6;

/** The published bytes, ready to be sent. Cached by hash, because a restarted chain has other bytes for the same month. */
function createStatementFiles(store: Pick<StatementStore, 'body'>, clock: Pick<Clock, 'now'>) {
  const files = createAnswerCache<ReadyAnswer | null>(clock, () => Infinity, keptFilesMax);
  const make = async (month: string): Promise<ReadyAnswer | null> => {
    const body = await store.body(month);
    if (body === undefined) return null;
    return makeReadyAnswerAsync(body, { contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' });
  };
  return ({ month, sha256 }: StatementSummary): Promise<ReadyAnswer | null> => files(sha256, () => make(month));
}

const statementRoutes = (
  answer: () => StatementsAnswer,
  find: (month: string) => StatementSummary | null,
  files: ReturnType<typeof createStatementFiles>,
): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/treasury/statements',
    access: 'public',
    summary: 'The monthly statements of the treasury, newest first, each with its SHA-256',
    answer: statementsAnswer,
    handle: () => ({ status: 200, body: answer() }),
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
      const statement = find(month);
      const ready = statement === null ? null : await files(statement);
      if (ready === null) throw new Refused('not-found', noStatement(month, answer()));
      return { status: 200, ready };
    },
  }),
];

function noStatement(month: string, { data: { statements, reason } }: StatementsAnswer): string {
  const first = statements.at(-1);
  if (first !== undefined && month < first.month) return `The first statement is for ${first.month}.`;
  return reason ?? `There is no statement for ${month} yet: it is made ${whenMade}.`;
}

/** Content of `<noscript>` on /statements. It has no foreign text, only months, digits, numbers and our sentences. */
function statementsNoscriptHtml({ data: { statements, reason } }: StatementsAnswer): string {
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
