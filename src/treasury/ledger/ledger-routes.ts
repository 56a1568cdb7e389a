import { defineRoute, type Route } from '../../http/route.ts';
import { ledgerAnswer, ledgerCsvQuery, ledgerQuery } from '../ledger-contract.ts';
import type { LedgerKind } from '../core/ledger-words.ts';
import type { LedgerAnswers } from './ledger-answers.ts';
import type { LedgerFilter } from './ledger-queries.ts';

/** Rulings R8: the ledger as pages and as one file. */
export const ledgerRoutes = (answers: LedgerAnswers): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/treasury/ledger',
    access: 'public',
    summary:
      'Every transaction of the treasury, newest first, in pages of 50; and the sum of each coin beside the chain',
    query: ledgerQuery,
    answer: ledgerAnswer,
    handle: async ({ query: { page, ...query } }) => ({
      status: 200,
      body: await answers.page(filterOf(query), page),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/treasury/ledger.csv',
    access: 'public',
    summary: 'Every transaction of the treasury as a CSV file, one line for each coin that moved',
    cost: 'on-demand',
    query: ledgerCsvQuery,
    answer: 'raw',
    handle: ({ query }) => ({
      status: 200,
      download: {
        fileName: 'sui-rocks-ledger.csv',
        contentType: 'text/csv; charset=utf-8',
        parts: answers.csv(filterOf(query)),
      },
    }),
  }),
];

interface Asked {
  readonly kind?: LedgerKind | undefined;
  readonly coin?: string | undefined;
  readonly apart: 'true' | 'false';
}

const filterOf = ({ kind, coin, apart }: Asked): LedgerFilter => ({
  kind: kind ?? null,
  coin: coin ?? null,
  isApart: apart === 'true',
});
