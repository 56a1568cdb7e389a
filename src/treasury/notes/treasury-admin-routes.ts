import { z } from 'zod';

import { adminOf, versionOf, defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../../http/route.ts';
import { failureBody } from '../../http/failure-answer.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { Invalid } from '../../shared/failure.ts';
import { type HistoryReach, historyText } from '../../shared/history-reach.ts';
import { walletAddress } from '../../shared/parsed-text.ts';
import { digestPattern } from '../../shared/sui-address.ts';
import { declarableSlices, declaredRoles, declaredUsdPattern, wordsMax } from '../core/ledger-words.ts';
import {
  amountOfSlice,
  amountsAnswer,
  nameOfAddress,
  namesAnswer,
  noteOfMovement,
  treasuryStatusAnswer,
} from '../ledger-contract.ts';
import type { LedgerSummary } from '../ledger/ledger-summary.ts';
import type { LedgerParts } from '../ledger/ledger-parts.ts';
import { type ChangeBy, declareAmount, declareName, declareNote, type DeclaringDeps } from './notes-store.ts';

/** The calls of the admin tab 'Treasury': how far history has been read, and what the team declares (rulings R3, R8). */

const noteParams = z.strictObject({
  digest: z.string().regex(digestPattern, { error: 'This is not the digest of a transaction.' }),
});

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
      return { data };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury/names',
    access: 'treasurer',
    summary: 'The names that the team gave to addresses',
    answer: namesAnswer,
    handle: async () => ({ data: await parts.notes.names() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/admin/treasury/amounts',
    access: 'treasurer',
    summary: 'The amounts that the team declares for what the chain cannot show',
    answer: amountsAnswer,
    handle: async () => ({ data: await parts.notes.declaredAmounts() }),
  }),
  ...declarationRoutes(parts),
];

const declarationRoutes = (deps: DeclaringDeps): readonly Route[] => [
  ...declaredRoutes({
    what: 'note',
    path: '/api/admin/treasury/notes/{digest}',
    params: noteParams,
    body: noteBody,
    bodyBytes: 8 * 1_024,
    answer: noteOfMovement,
    current: noteOfMovement,
    putSummary: "Write the team's note on a movement; its version is 0 as long as there is none",
    deleteSummary: "Delete the team's note on a movement",
    declare: ({ digest }, note, by) =>
      declareNote(deps, digest, note && { ...note, text: visible('note', note.text) }, by),
  }),
  ...declaredRoutes({
    what: 'name',
    path: '/api/admin/treasury/names/{address}',
    params: z.strictObject({ address: walletAddress }),
    body: nameBody,
    bodyBytes: 1_024,
    answer: nameOfAddress,
    current: nameOfAddress,
    putSummary: 'Declare who an address belongs to; its version is 0 as long as there is no name',
    deleteSummary: 'Delete the declared name of an address',
    declare: ({ address }, name, by) =>
      declareName(deps, address, name && { ...name, name: visible('name', name.name) }, by),
  }),
  ...declaredRoutes({
    what: 'amount',
    path: '/api/admin/treasury/amounts/{slice}',
    params: z.strictObject({ slice: z.enum(declarableSlices) }),
    body: amountBody,
    bodyBytes: 1_024,
    answer: amountOfSlice,
    current: amountOfSlice,
    putSummary: 'Declare the amount in USD; its version is 0 as long as there is none',
    deleteSummary: 'Delete the declared amount',
    declare: ({ slice }, amount, by) => declareAmount(deps, slice, amount && amount.usd, by),
  }),
];

interface Declared<Params extends z.ZodType, Body extends z.ZodType> extends Pick<Route, 'path' | 'answer'> {
  readonly what: 'note' | 'name' | 'amount';
  readonly params: Params;
  readonly body: Body;
  readonly bodyBytes: number;
  /** What the answer shows of it, for someone who saved an outdated version. */
  readonly current: z.core.$ZodType;
  readonly putSummary: string;
  readonly deleteSummary: string;
  /** Saves what the team declares; null deletes it. */
  readonly declare: (
    params: z.output<Params>,
    wanted: z.output<Body> | null,
    by: ChangeBy,
  ) => Promise<{ readonly kind: 'saved' | 'stale'; readonly current: unknown }>;
}

/** The two calls that write what the team declares about one thing, and delete it. */
function declaredRoutes<Params extends z.ZodType, Body extends z.ZodType>(
  declared: Declared<Params, Body>,
): readonly Route[] {
  const { what, path, params, body, bodyBytes, answer, current, declare } = declared;
  const stale = z.object({ message: z.string(), code: z.literal('stale'), current });
  const failures = { 409: z.union([stale, failureBody]) };
  const shared = { path, params, answer, failures, access: 'treasurer', isVersioned: true } as const;
  const change = async (request: RouteRequest, wanted: z.output<Body> | null): Promise<RouteAnswer> => {
    const { user, ifMatch } = request;
    const by = { actor: adminOf(user), ifVersion: versionOf(ifMatch) };
    const saved = await declare(request.params as z.output<Params>, wanted, by);
    if (saved.kind === 'saved') return { data: saved.current };
    // Someone else saved in the meantime (rulings R6).
    const message = `Someone else changed this ${what} in the meantime. Check it as it is now, then save again.`;
    return { status: 409, body: { message, code: 'stale', current: saved.current } };
  };
  return [
    {
      ...shared,
      method: 'PUT',
      summary: declared.putSummary,
      body,
      bodyBytes,
      handle: (request) => change(request, request.body as z.output<Body>),
    },
    { ...shared, method: 'DELETE', summary: declared.deleteSummary, handle: (request) => change(request, null) },
  ];
}

/** Throws Invalid if nothing of it is visible. */
function visible(what: 'note' | 'name', text: string): string {
  const clean = cleanText(text, wordsMax[what]);
  if (clean === '') throw new Invalid(`${what}-required`, `The ${what} has no visible letter. Type a ${what}.`);
  return clean;
}

const historyOf = (reach: HistoryReach) => ({
  ...reach,
  until: reach.until?.toISOString() ?? null,
  text: historyText(reach),
});
