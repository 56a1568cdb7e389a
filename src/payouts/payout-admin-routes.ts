import { z } from 'zod';

import { adminOf, versionOf, defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../http/route.ts';
import { failureBody } from '../http/failure-answer.ts';
import type { Trx } from '../db/transaction.ts';
import { Refused } from '../shared/failure.ts';
import { dropPublishedCards } from './announcements-routes.ts';
import { type DraftTerms, draftTerms, words } from './core/draft-terms.ts';
import { outcomeOf, type Planned } from './core/make-plan.ts';
import { isNothingPaid, payoutWords } from './core/payout-words.ts';
import { refusePaidBefore } from './ledger-now.ts';
import type { StoredPayout, Written } from './payout-store.ts';
import {
  type AdminPayout,
  adminPayout,
  adminPayoutsAnswer,
  previewAnswer,
  type PreviewAnswer,
  stalePayout,
} from './payout-admin-contract.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { payoutId, planAnswer } from './payout-routes.ts';
import { refreshFromChain } from './payout-transactions.ts';
import { type PayoutPlan, payoutPlan } from './payouts-contract.ts';
import { coinsOf, payableCoins, payoutSnapshot, previewOf } from './planner.ts';

const params = z.strictObject({ id: payoutId });
const termsBytes = 64 * 1_024;
/** A call that changes one payout. */
const savedPayout = {
  params,
  isVersioned: true,
  answer: adminPayout,
  failures: { 409: z.union([stalePayout, failureBody]) },
};

/** Rulings R9: the team drafts, reviews and publishes plans; nothing here moves a coin. */
export const payoutAdminRoutes = (deps: PayoutDeps): readonly Route[] => [
  ...readingRoutes(deps),
  ...draftRoutes(deps),
  ...publishingRoutes(deps),
];

const readingRoutes = (deps: PayoutDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/admin/payouts',
    access: 'treasurer',
    summary: 'Every payout, drafts too, newest first, and the coins of the treasury that can be paid out',
    answer: adminPayoutsAnswer,
    handle: async () => {
      const payouts = (await deps.store.all()).toReversed().map((payout) => adminView(deps, payout));
      return { data: { payouts, coins: payableCoins(deps) } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/admin/payouts/{id}/plan.json',
    access: 'treasurer',
    summary: 'The plan of a payout as canonical JSON; for a draft, byte for byte as it would be published',
    params,
    answer: 'raw',
    handle: async ({ params: { id } }) => {
      const payout = await deps.store.find(id);
      if (payout === null) throw new Refused('not-found', 'There is no such payout.');
      if (payout.plan === null)
        throw new Refused('no-snapshot', 'There is no plan yet: read the owners first.', { status: 409 });
      return planAnswer(id, payout.plan);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/admin/payouts/preview',
    access: 'treasurer',
    summary: 'What a payout would look like with the owners known now; nothing is stored',
    bodyBytes: termsBytes,
    body: draftTerms,
    answer: previewAnswer,
    handle: ({ body }) => ({ data: previewView(deps, previewOf(deps, body)) }),
  }),
];

const draftRoutes = (deps: PayoutDeps): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/admin/payouts',
    access: 'treasurer',
    summary: 'Draft a payout',
    bodyBytes: termsBytes,
    body: draftTerms,
    answer: adminPayout,
    handle: async ({ body, user }) => {
      checkTerms(deps, body);
      const payout = await deps.store.create(body, adminOf(user));
      return { data: adminView(deps, payout) };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/admin/payouts/{id}',
    access: 'treasurer',
    summary: 'Change a draft; its snapshot must be taken again',
    ...savedPayout,
    bodyBytes: termsBytes,
    body: draftTerms,
    handle: async ({ params: { id }, body, ...request }) => {
      checkTerms(deps, body);
      return answerOf(deps, await deps.store.change(id, body, writerOf(request)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/payouts/{id}',
    access: 'treasurer',
    summary: 'Delete a draft',
    ...savedPayout,
    handle: async ({ params: { id }, ...request }) => answerOf(deps, await deps.store.remove(id, writerOf(request))),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/admin/payouts/{id}/snapshot',
    access: 'treasurer',
    summary: 'Read the owners of all rocks for a draft: at one checkpoint, proven by a second reading',
    ...savedPayout,
    handle: async ({ params: { id }, ...request }) => {
      const sendJob = (trx: Trx): Promise<void> => deps.jobs.send(payoutSnapshot, { payout: id }, { transaction: trx });
      return answerOf(deps, await deps.store.askSnapshot(id, deps.clock.now(), writerOf(request), sendJob));
    },
  }),
];

const publishingRoutes = (deps: PayoutDeps): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/admin/payouts/{id}/publish',
    access: 'treasurer',
    needsSecondFactorAgain: true,
    summary: 'Publish the plan with this hash; nothing can change it afterwards',
    ...savedPayout,
    bodyBytes: 1_024,
    body: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    handle: async ({ params: { id }, body: { sha256 }, ...request }) => {
      const draft = await deps.store.find(id);
      if (draft?.published === null && draft.plan?.sha256 === sha256)
        await refusePaidBefore(deps, payoutPlan.parse(JSON.parse(draft.plan.json)));
      const written = await deps.store.publish(id, sha256, writerOf(request));
      await reload(deps);
      return answerOf(deps, written);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/admin/payouts/{id}/withdraw',
    access: 'treasurer',
    needsSecondFactorAgain: true,
    summary: 'Withdraw a published payout before any line is paid as planned; the reason stays',
    ...savedPayout,
    bodyBytes: 4 * 1_024,
    body: z.strictObject({ reason: words('reason', payoutWords.withdrawnReason) }),
    handle: async ({ params: { id }, body: { reason }, ...request }) => {
      await refreshFromChain(deps, id);
      const isUnpaid = () => isNothingPaid(deps.cache.find(id)?.summary ?? null);
      const dropCards = (trx: Trx) => dropPublishedCards(deps, trx, id, 'The payout was withdrawn.');
      const written = await deps.store.withdraw(id, reason, writerOf(request), isUnpaid, dropCards);
      await reload(deps);
      return answerOf(deps, written);
    },
  }),
];

/** Reloads what was saved for the next answer. It stays saved even if it cannot be read now. */
const reload = ({ load }: PayoutDeps): Promise<void> => load().catch(() => {});

/** Refuses terms that can never be paid, and a coin without known metadata. While owners or balances are not read yet, terms are stored unchecked. */
function checkTerms(deps: PayoutDeps, terms: DraftTerms): void {
  const made = previewOf(deps, terms);
  if (made.kind === 'refused' && made.about !== null) throw new Refused('no-plan', made.message);
}

const writerOf = ({ user, ifMatch }: Pick<RouteRequest, 'user' | 'ifMatch'>) => ({
  actor: adminOf(user),
  ifVersion: versionOf(ifMatch),
});

/** The saved payout, or what someone else has saved (rulings R6). */
function answerOf(deps: PayoutDeps, { kind, payout }: Written): RouteAnswer {
  const current = adminView(deps, payout);
  if (kind === 'saved') return { data: current };
  const message = `${payout.updated.by} has changed this payout in the meantime. Look at it again.`;
  return { status: 409, body: { message, code: 'stale', current } };
}

function previewView(deps: PayoutDeps, planned: Planned): PreviewAnswer {
  if (planned.kind === 'plan')
    return { outcome: planOutcome(deps, planned.plan), message: null, about: null, unowned: [] };
  const { message, about, unowned = [] } = planned;
  return { outcome: null, message, about, unowned: [...unowned] };
}

const planOutcome = (deps: PayoutDeps, plan: PayoutPlan) => {
  const balance = coinsOf(deps)?.find(({ type }) => type === plan.coin.type)?.balanceRaw ?? null;
  const published = deps.cache.published();
  // A draft is not in the list: every published payout comes before it.
  const before = published.slice(published.findIndex(({ summary }) => summary.id === plan.payout) + 1);
  const last = before.find(({ summary }) => summary.withdrawn === null)?.plan ?? null;
  return outcomeOf(plan, balance === null ? null : BigInt(balance), last);
};

/** Its state on chain. What was published or withdrawn a moment ago may not be in memory yet. */
function stateOf({ cache }: PayoutDeps, { id, published, withdrawn }: StoredPayout): AdminPayout['state'] {
  if (published === null) return 'draft';
  const onChain = cache.find(id)?.summary.state ?? 'published';
  return withdrawn !== null && onChain === 'published' ? 'withdrawn' : onChain;
}

function adminView(deps: PayoutDeps, payout: StoredPayout): AdminPayout {
  const { id, version, terms, snapshot, published, withdrawn, updated } = payout;
  const plan = payout.plan === null ? null : payoutPlan.parse(JSON.parse(payout.plan.json));
  return {
    id,
    version,
    state: stateOf(deps, payout),
    terms,
    snapshot: { askedAt: snapshot.askedAt?.toISOString() ?? null, problem: snapshot.problem },
    plan: plan && {
      sha256: payout.plan?.sha256 ?? '',
      coin: plan.coin,
      checkpoint: plan.snapshot.checkpoint,
      at: plan.snapshot.at,
      outcome: planOutcome(deps, plan),
    },
    publishedAt: published?.at.toISOString() ?? null,
    withdrawn: withdrawn && { at: withdrawn.at.toISOString(), by: withdrawn.by, reason: withdrawn.reason },
    updated: { at: updated.at.toISOString(), by: updated.by },
  };
}
