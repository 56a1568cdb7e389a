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
import {
  type Changed,
  type Declarable,
  declare,
  declaredAmount,
  declaredName,
  declaredNote,
  type DeclaringDeps,
} from './notes-store.ts';

/** The calls of the admin tab 'Treasury': how far history has been read, and what the team declares (rulings R3, R8). */

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
  ...declaredRoutes(deps, {
    declarable: declaredNote,
    about: z.string().regex(digestPattern, { error: 'This is not the digest of a transaction.' }),
    body: noteBody,
    bodyBytes: 8 * 1_024,
    answer: noteOfMovement,
    putSummary: "Write the team's note on a movement; its version is 0 as long as there is none",
    deleteSummary: "Delete the team's note on a movement",
    cleaned: (note) => ({ ...note, text: visible('note', note.text) }),
  }),
  ...declaredRoutes(deps, {
    declarable: declaredName,
    about: walletAddress,
    body: nameBody,
    bodyBytes: 1_024,
    answer: nameOfAddress,
    putSummary: 'Declare who an address belongs to; its version is 0 as long as there is no name',
    deleteSummary: 'Delete the declared name of an address',
    cleaned: (name) => ({ ...name, name: visible('name', name.name) }),
  }),
  ...declaredRoutes(deps, {
    declarable: declaredAmount,
    about: z.enum(declarableSlices),
    body: amountBody,
    bodyBytes: 1_024,
    answer: amountOfSlice,
    putSummary: 'Declare the amount in USD; its version is 0 as long as there is none',
    deleteSummary: 'Delete the declared amount',
    cleaned: (amount) => amount,
  }),
];

interface Declared<Row, Fields> {
  readonly declarable: Declarable<Row, Fields>;
  /** What it is about, in the path. */
  readonly about: z.ZodType<string>;
  readonly body: z.ZodType<Fields>;
  readonly bodyBytes: number;
  /** Also of someone who saved an outdated version: what is stored now. */
  readonly answer: Exclude<Route['answer'], 'raw'>;
  readonly putSummary: string;
  readonly deleteSummary: string;
  readonly cleaned: (fields: Fields) => Fields;
}

/** The two calls that write what the team declares about one thing, and delete it. */
function declaredRoutes<Row extends Changed, Fields extends Readonly<Record<string, unknown>>>(
  deps: DeclaringDeps,
  { declarable, about, body, bodyBytes, answer, putSummary, deleteSummary, cleaned }: Declared<Row, Fields>,
): readonly Route[] {
  const { what, about: aboutName } = declarable;
  const stale = z.object({ message: z.string(), code: z.literal('stale'), current: answer });
  const failures = { 409: z.union([stale, failureBody]) };
  const path = `/api/admin/treasury/${what}s/{${aboutName}}`;
  const params = z.strictObject({ [aboutName]: about });
  const shared = { path, params, answer, failures, access: 'treasurer', isVersioned: true } as const;
  const change = async (request: RouteRequest, wanted: Fields | null): Promise<RouteAnswer> => {
    const { [aboutName]: key } = request.params as Readonly<Record<typeof aboutName, string>>;
    const by = { actor: adminOf(request.user), ifVersion: versionOf(request.ifMatch) };
    const { kind, stored } = await declare(deps, declarable, key, wanted, by);
    const current = { [aboutName]: key, [what === 'note' ? 'note' : 'declared']: stored };
    if (kind === 'saved') return { data: current };
    // Someone else saved in the meantime (rulings R6).
    const message = `Someone else changed this ${what} in the meantime. Check it as it is now, then save again.`;
    return { status: 409, body: { message, code: 'stale', current } };
  };
  return [
    {
      ...shared,
      method: 'PUT',
      summary: putSummary,
      body,
      bodyBytes,
      handle: (request) => change(request, cleaned(request.body as Fields)),
    },
    { ...shared, method: 'DELETE', summary: deleteSummary, handle: (request) => change(request, null) },
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
