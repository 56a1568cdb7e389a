import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { JobDefinition, JobName } from '../jobs/jobs.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { shortType } from '../shared/sui-address.ts';
import { isImpersonator } from '../treasury/contract.ts';
import type { DraftTerms } from './core/draft-terms.ts';
import { makePlan, type OwnerSnapshot, type Planned, refused } from './core/make-plan.ts';
import type { TreasuryCoin } from './payout-admin-contract.ts';
import type { OwnerReading, PayoutDeps } from './payout-deps.ts';
import type { StoredPayout, SnapshotResult } from './payout-store.ts';

/** Stands for the number of the next payout, which a preview does not know. */
const nextPayout = 999_999_999;

const ownersNotRead = refused('The owners of the rocks were not read yet. Try again in a minute.');
const treasuryNotRead = refused('The treasury was not read yet. Try again in a minute.');
const noLongerHeld = refused('The treasury no longer holds this coin. Choose another one.', 'coin');
const impersonator = refused('This coin only copies the symbol of a known coin. It cannot be paid out.', 'coin');

/** What the treasury has, as last read; null: it was never read. */
export function coinsOf({ treasury }: Pick<PayoutDeps, 'treasury'>): readonly TreasuryCoin[] | null {
  const reading = treasury.reading();
  if (reading === null) return null;
  return reading.balances
    .filter(({ rawBalance }) => rawBalance > 0n)
    .map(({ coinType: type, rawBalance }) => {
      const { symbol = null, decimals = null } = reading.metadata.get(type) ?? {};
      return { type, symbol, decimals, balanceRaw: String(rawBalance) };
    });
}

/** The coins that a draft may name: anyone can send the treasury a coin that calls itself USDC. */
export const payableCoins = (deps: Pick<PayoutDeps, 'treasury'>): readonly TreasuryCoin[] | null =>
  coinsOf(deps)?.filter(({ type, symbol }) => !isImpersonator(type, symbol ?? '')) ?? null;

/** The plan of a draft with the owners that are known now. */
export function previewOf(deps: PayoutDeps, terms: DraftTerms): Planned {
  const rocks = deps.rocks.catalog.owners();
  if (rocks === null) return ownersNotRead;
  return planOf(deps, nextPayout, terms, { checkpoint: 0n, chainId: null, at: deps.clock.now(), rocks });
}

function resultOf(deps: PayoutDeps, { id, terms }: StoredPayout, snapshot: OwnerSnapshot): SnapshotResult {
  const made = planOf(deps, id, terms, snapshot);
  if (made.kind === 'refused') return { plan: null, problem: made.message };
  const json = canonicalJson(made.plan);
  return { plan: { json, sha256: createHash('sha256').update(json).digest('hex') }, problem: null };
}

function planOf(
  deps: PayoutDeps,
  payout: number,
  { coinType, ...terms }: DraftTerms,
  snapshot: OwnerSnapshot,
): Planned {
  const held = coinsOf(deps);
  if (held === null) return treasuryNotRead;
  const found = held.find(({ type }) => type === coinType);
  if (found === undefined) return noLongerHeld;
  const { symbol, decimals, balanceRaw } = found;
  if (isImpersonator(coinType, symbol ?? '')) return impersonator;
  const { network, treasuryAddress: treasury, collectionType: collection } = deps.settings;
  const coin = { type: coinType, symbol: symbol ?? shortType(coinType), decimals };
  return makePlan({ ...terms, payout, network, treasury, collection, coin }, snapshot, BigInt(balanceRaw));
}

export const payoutSnapshot = {
  name: 'payout-snapshot',
  payload: z.object({ payout: z.int() }),
  key: ({ payout }) => String(payout),
} satisfies JobName<{ payout: number }>;

/** Reads the owners for a draft that requested it, and stores what would be published (rulings R9). */
export const snapshotJob = (deps: PayoutDeps): JobDefinition<{ payout: number }> => ({
  ...payoutSnapshot,
  longestRetryMs: 60_000,
  failing: 'The owners of the rocks could not be read for a payout',
  run: async ({ payout }, stop) => {
    const draft = await deps.store.find(payout);
    const askedAt = draft?.snapshot.askedAt ?? null;
    if (draft === null || askedAt === null) return;
    const read = await readUnchanged(deps, stop);
    const result = 'problem' in read ? { plan: null, problem: read.problem } : resultOf(deps, draft, read);
    await deps.store.keepSnapshot(payout, askedAt, result);
  },
});

const comparedMax = 5;

/**
 * The owners at one checkpoint: the readings before and after it are equal. Behind one address, some nodes lag behind others, so no
 * answer of the first reading may be from after the checkpoint, and none of the last from before it.
 */
async function readUnchanged(
  { rocks: { readOwners }, backgroundSui, clock }: PayoutDeps,
  stop: AbortSignal,
): Promise<OwnerSnapshot | { readonly problem: string }> {
  const read = () => backgroundSui.watchTips(() => readOwners(stop));
  let before = await read();
  let tip = await backgroundSui.readKeptCheckpoints(stop);
  let isSame = false;
  for (let compared = 0; compared < comparedMax; compared += 1) {
    const { newest: checkpoint, newestAt, chainId } = tip;
    const after = await read();
    if (!after.value.isComplete) {
      return { problem: 'The marketplace does not list every rock right now. Read the owners again in a few minutes.' };
    }
    isSame = sameOwners(before.value, after.value);
    const isAfterFirst = before.tips.every((each) => each.checkpoint <= checkpoint);
    if (isSame && isAfterFirst && after.tips.every((each) => each.checkpoint >= checkpoint)) {
      return { checkpoint, chainId, at: newestAt ?? clock.now(), rocks: after.value.rocks };
    }
    // A node that lags will have reached the checkpoint by one of the next readings.
    if (isSame && isAfterFirst) continue;
    before = after;
    tip = await backgroundSui.readKeptCheckpoints(stop);
  }
  return {
    problem: isSame
      ? 'Some nodes at the address of the Sui full node lag behind others. Read the owners again in a few minutes.'
      : `Rocks changed hands during each of ${comparedMax} readings. Read the owners again at a quieter moment.`,
  };
}

function sameOwners(one: OwnerReading, other: OwnerReading): boolean {
  const owners = ({ isComplete, rocks }: OwnerReading): string =>
    JSON.stringify([isComplete, rocks.map(({ number, owner }) => [number, owner])]);
  return owners(one) === owners(other);
}
