import { z } from 'zod';

import { adminOf, versionOf } from '../../http/admin-call.ts';
import { failureBody } from '../../http/failure-answer.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../../http/route.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { Invalid } from '../../shared/failure.ts';
import { type HistoryReach, historyText } from '../../shared/history-reach.ts';
import { wordsMax } from '../core/ledger-words.ts';
import { coinSum } from '../ledger-contract.ts';
import type { LedgerBook } from '../ledger/ledger-book.ts';
import { type Declared, declareName, declareNote, type DeclaringDeps } from '../notes/declaring.ts';
import {
  addressParams,
  nameAnswer,
  nameBody,
  namesAnswer,
  noteAnswer,
  noteBody,
  noteParams,
  staleName,
  staleNote,
} from '../notes/notes-contract.ts';
import type { NotesStore } from '../notes/notes-store.ts';

interface TreasuryAdminDeps extends DeclaringDeps, StatusDeps {
  readonly notes: Pick<NotesStore, 'names'>;
}

/** Rulings R8: how far the product has read the past, and what the team says of it. */
export const treasuryAdminRoutes = (deps: TreasuryAdminDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury',
    access: 'treasurer',
    summary: 'How far the movements and the rocks are read, and the sum of each coin beside the chain',
    answer: treasuryStatusAnswer,
    handle: () => ({ status: 200, body: treasuryStatus(deps) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury/names',
    access: 'treasurer',
    summary: 'The names that the team gave to addresses',
    answer: namesAnswer,
    handle: async () => ({ status: 200, body: { data: await deps.notes.names() } }),
  }),
  ...noteRoutes(deps),
  ...nameRoutes(deps),
];

const noteRoutes = (deps: DeclaringDeps): readonly Route[] => [
  defineRoute({
    method: 'PUT',
    path: '/api/admin/treasury/notes/{digest}',
    access: 'treasurer',
    summary: "Write the team's note on a movement; with If-Match, only if that is the current version, 0 for none",
    params: noteParams,
    bodyBytes: 8 * 1_024,
    body: noteBody,
    answer: noteAnswer,
    failures: { 409: z.union([staleNote, failureBody]) },
    handle: async ({ params: { digest }, body: { text, link }, ...request }) => {
      const note = { text: visible('note', text), link };
      return answerOf('note', await declareNote(deps, digest, note, byOf(request)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/treasury/notes/{digest}',
    access: 'treasurer',
    summary: "Delete the team's note on a movement; with If-Match, only that version",
    params: noteParams,
    answer: noteAnswer,
    failures: { 409: z.union([staleNote, failureBody]) },
    handle: async ({ params: { digest }, ...request }) =>
      answerOf('note', await declareNote(deps, digest, null, byOf(request))),
  }),
];

const nameRoutes = (deps: DeclaringDeps): readonly Route[] => [
  defineRoute({
    method: 'PUT',
    path: '/api/admin/treasury/names/{address}',
    access: 'treasurer',
    summary: 'Declare who an address belongs to; with If-Match, only if that is the current version, 0 for none',
    params: addressParams,
    bodyBytes: 1_024,
    body: nameBody,
    answer: nameAnswer,
    failures: { 409: z.union([staleName, failureBody]) },
    handle: async ({ params: { address }, body: { name, role }, ...request }) => {
      const wanted = { name: visible('name', name), role };
      return answerOf('name', await declareName(deps, address, wanted, byOf(request)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/treasury/names/{address}',
    access: 'treasurer',
    summary: 'Delete the declared name of an address; with If-Match, only that version',
    params: addressParams,
    answer: nameAnswer,
    failures: { 409: z.union([staleName, failureBody]) },
    handle: async ({ params: { address }, ...request }) =>
      answerOf('name', await declareName(deps, address, null, byOf(request))),
  }),
];

const byOf = ({ user, ifMatch }: Pick<RouteRequest, 'user' | 'ifMatch'>) => ({
  actor: adminOf(user),
  ifVersion: versionOf(ifMatch),
});

/** Throws Invalid where nothing of it can be seen. */
function visible(what: 'note' | 'name', text: string): string {
  const clean = cleanText(text, wordsMax[what]);
  if (clean === '') throw new Invalid(`${what}-required`, `The ${what} has no visible letter. Type a ${what}.`);
  return clean;
}

/** What is saved now, or both versions (rulings R6). */
function answerOf(what: string, { kind, current }: Declared<unknown>): RouteAnswer {
  if (kind === 'saved') return { status: 200, body: { data: current } };
  const message = `Someone else changed this ${what} in the meantime. Check it as it is now, then save again.`;
  return { status: 409, body: { message, code: 'stale', current } };
}

const history = z.object({
  percent: z.int().min(0).max(100).nullable().describe('Of the time since the first event; null: nothing was read yet'),
  until: z.iso.datetime().nullable(),
  isComplete: z.boolean(),
  text: z.string().describe("'History: 62 %, up to 3 March 2026'"),
});

/** GET /api/admin/treasury. */
export const treasuryStatusAnswer = z.object({
  data: z.object({
    ledger: history,
    rocks: history,
    coins: z.array(coinSum).readonly(),
  }),
});
type TreasuryStatusAnswer = z.infer<typeof treasuryStatusAnswer>;

interface StatusDeps {
  readonly book: Pick<LedgerBook, 'heading' | 'reach'>;
  readonly rocksReach: () => HistoryReach;
}

const treasuryStatus = ({ book, rocksReach }: StatusDeps): TreasuryStatusAnswer => ({
  data: { ledger: historyOf(book.reach()), rocks: historyOf(rocksReach()), coins: book.heading().coins },
});

const historyOf = (reach: HistoryReach) => ({
  ...reach,
  until: reach.until?.toISOString() ?? null,
  text: historyText(reach),
});
