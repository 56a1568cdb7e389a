import { z } from 'zod';

import { adminOf, versionOf, defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../../http/route.ts';
import { failureBody } from '../../http/failure-answer.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { Invalid } from '../../shared/failure.ts';
import { type HistoryReach, historyText } from '../../shared/history-reach.ts';
import { walletAddress } from '../../shared/parsed-text.ts';
import { declarableSlices, declaredRoles, declaredUsdPattern, wordsMax } from '../core/ledger-words.ts';
import {
  amountAnswer,
  amountOfSlice,
  amountsAnswer,
  nameAnswer,
  nameOfAddress,
  namesAnswer,
  noteAnswer,
  noteOfMovement,
  treasuryStatusAnswer,
} from '../ledger-contract.ts';
import type { LedgerSummary } from '../ledger/ledger-summary.ts';
import type { LedgerParts } from '../ledger/ledger-parts.ts';
import { declareAmount, declareName, declareNote, type DeclaringDeps } from './notes-store.ts';

/** The calls of the admin tab 'Treasury': how far history has been read, and what the team declares (rulings R3, R8). */

/** 409: someone else saved in the meantime (rulings R6). */
const stale = { message: z.string(), code: z.literal('stale') };
export const staleNote = z.object({ ...stale, current: noteOfMovement });
const staleName = z.object({ ...stale, current: nameOfAddress });
const staleAmount = z.object({ ...stale, current: amountOfSlice });

const noteParams = z.strictObject({
  digest: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'This is not the digest of a transaction.' }),
});

const addressParams = z.strictObject({ address: walletAddress });

/** Visitors' browsers follow the link, so only https without a user name or password is allowed. */
function isPageLink(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}

const noteBody = z.strictObject({
  text: z.string().min(1).max(wordsMax.note),
  link: z
    .string()
    .max(wordsMax.link)
    .refine(isPageLink, { error: 'A link begins with https:// and leads to a page.' })
    .transform((text) => new URL(text).href)
    .nullable(),
});

const nameBody = z.strictObject({ name: z.string().min(1).max(wordsMax.name), role: z.enum(declaredRoles) });

const sliceParams = z.strictObject({ slice: z.enum(declarableSlices) });

const amountBody = z.strictObject({
  usd: z
    .string()
    .regex(declaredUsdPattern, { error: 'An amount is digits with at most two decimals, as in 12000.50.' })
    // 012.50 becomes 12.5. A number holds this few digits exactly.
    .transform((text) => String(Number(text))),
});

/** Rulings R8: how far the product has read history, and what the team declares about it. */
export const treasuryAdminRoutes = (parts: LedgerParts, summary: LedgerSummary): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury',
    access: 'treasurer',
    summary: 'How far the movements and the rocks have been read, and the sum of each coin beside its balance on chain',
    answer: treasuryStatusAnswer,
    handle: () => {
      const { rocks } = parts;
      const { coins, proofCheckpoint } = summary.figures();
      const data = { ledger: historyOf(summary.reach()), rocks: historyOf(rocks.reach()), coins, proofCheckpoint };
      return { status: 200, body: { data } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury/names',
    access: 'treasurer',
    summary: 'The names that the team gave to addresses',
    answer: namesAnswer,
    handle: async () => ({ status: 200, body: { data: await parts.notes.names() } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury/amounts',
    access: 'treasurer',
    summary: 'The amounts that the team declares for what the chain cannot show',
    answer: amountsAnswer,
    handle: async () => ({ status: 200, body: { data: await parts.notes.declaredAmounts() } }),
  }),
  ...noteRoutes(parts),
  ...nameRoutes(parts),
  ...amountRoutes(parts),
];

const ofNote = {
  path: '/api/admin/treasury/notes/{digest}',
  access: 'treasurer',
  params: noteParams,
  isVersioned: true,
  answer: noteAnswer,
  failures: { 409: z.union([staleNote, failureBody]) },
} as const;

const noteRoutes = (deps: DeclaringDeps): readonly Route[] => [
  defineRoute({
    ...ofNote,
    method: 'PUT',
    summary: "Write the team's note on a movement; its version is 0 as long as there is none",
    bodyBytes: 8 * 1_024,
    body: noteBody,
    handle: async ({ params: { digest }, body: { text, link }, ...request }) => {
      const note = { text: visible('note', text), link };
      return answerOf('note', await declareNote(deps, digest, note, byOf(request)));
    },
  }),
  defineRoute({
    ...ofNote,
    method: 'DELETE',
    summary: "Delete the team's note on a movement",
    handle: async ({ params: { digest }, ...request }) =>
      answerOf('note', await declareNote(deps, digest, null, byOf(request))),
  }),
];

const ofName = {
  path: '/api/admin/treasury/names/{address}',
  access: 'treasurer',
  params: addressParams,
  isVersioned: true,
  answer: nameAnswer,
  failures: { 409: z.union([staleName, failureBody]) },
} as const;

const nameRoutes = (deps: DeclaringDeps): readonly Route[] => [
  defineRoute({
    ...ofName,
    method: 'PUT',
    summary: 'Declare who an address belongs to; its version is 0 as long as there is no name',
    bodyBytes: 1_024,
    body: nameBody,
    handle: async ({ params: { address }, body: { name, role }, ...request }) => {
      const wanted = { name: visible('name', name), role };
      return answerOf('name', await declareName(deps, address, wanted, byOf(request)));
    },
  }),
  defineRoute({
    ...ofName,
    method: 'DELETE',
    summary: 'Delete the declared name of an address',
    handle: async ({ params: { address }, ...request }) =>
      answerOf('name', await declareName(deps, address, null, byOf(request))),
  }),
];

const ofAmount = {
  path: '/api/admin/treasury/amounts/{slice}',
  access: 'treasurer',
  params: sliceParams,
  isVersioned: true,
  answer: amountAnswer,
  failures: { 409: z.union([staleAmount, failureBody]) },
} as const;

const amountRoutes = (deps: DeclaringDeps): readonly Route[] => [
  defineRoute({
    ...ofAmount,
    method: 'PUT',
    summary: 'Declare the amount in USD; its version is 0 as long as there is none',
    bodyBytes: 1_024,
    body: amountBody,
    handle: async ({ params: { slice }, body: { usd }, ...request }) =>
      answerOf('amount', await declareAmount(deps, slice, usd, byOf(request))),
  }),
  defineRoute({
    ...ofAmount,
    method: 'DELETE',
    summary: 'Delete the declared amount',
    handle: async ({ params: { slice }, ...request }) =>
      answerOf('amount', await declareAmount(deps, slice, null, byOf(request))),
  }),
];

const byOf = ({ user, ifMatch }: Pick<RouteRequest, 'user' | 'ifMatch'>) => ({
  actor: adminOf(user),
  ifVersion: versionOf(ifMatch),
});

/** Throws Invalid if nothing of it is visible. */
function visible(what: 'note' | 'name', text: string): string {
  const clean = cleanText(text, wordsMax[what]);
  if (clean === '') throw new Invalid(`${what}-required`, `The ${what} has no visible letter. Type a ${what}.`);
  return clean;
}

/** The saved version, or a 409 with the current one (rulings R6). */
function answerOf(
  what: string,
  { kind, current }: { readonly kind: 'saved' | 'stale'; readonly current: unknown },
): RouteAnswer {
  if (kind === 'saved') return { status: 200, body: { data: current } };
  const message = `Someone else changed this ${what} in the meantime. Check it as it is now, then save again.`;
  return { status: 409, body: { message, code: 'stale', current } };
}

const historyOf = (reach: HistoryReach) => ({
  ...reach,
  until: reach.until?.toISOString() ?? null,
  text: historyText(reach),
});
