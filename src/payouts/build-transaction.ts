import { foreignText } from '../shared/foreign-text.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { shortType, suiCoinType } from '../shared/sui-address.ts';
import type { CoinObject } from '../sources/sui/coins.ts';
import { buildPayment, type PaymentTerms } from '../sources/sui/execution.ts';
import {
  chooseCoins,
  coinsInOrder,
  usedCoins,
  budgetFor,
  differenceFrom,
  gasMistOf,
  gasShortage,
} from './core/transaction-rules.ts';
import { nextLines } from './core/reconcile.ts';
import { readLedger, refuseMissingInLedger } from './ledger-now.ts';
import type { PublishedPayout } from './payout-cache.ts';
import type { PayoutDeps } from './payout-deps.ts';
import type { NewTransaction } from './transaction-store.ts';

/**
 * Builds the next transaction of a payout (docs/decisions/0041). The order keeps anyone from being paid twice: coin objects with their
 * versions first, then the ledger up to a checkpoint that is no older, then the lines. Anything executed before is in the ledger, and
 * anything executed later has used up a version.
 *
 * Throws Refused with a sentence for the person who pays, and Unavailable.
 */
export async function buildTransaction(deps: PayoutDeps, payout: number): Promise<NewTransaction> {
  const { sui } = deps;
  const { coin, chainId: plannedOn, snapshot } = payablePayout(deps, payout).plan;
  const { newest: builtCheckpoint } = await sui.readKeptCheckpoints();
  const held = await readCoins(deps, coin.type);
  const { chainId } = await catchUp(deps, recentCoins(held), BigInt(snapshot.checkpoint));
  if (plannedOn !== null && chainId !== null && plannedOn !== chainId)
    throw new Refused('other-chain', 'This payout was planned on a different chain from the node’s.');
  const published = payablePayout(deps, payout);
  refuseMissingInLedger(published, await deps.transactions.ofPayout(payout));
  const { plan, result } = published;
  const next = nextLines(plan, result);
  if (next.lines.length === 0) throw new Refused('nothing-open', 'No line of this payout is open.');
  const isSui = coin.type === suiCoinType;
  const needs = { isSui, coin, raw: next.raw, openRaw: next.open.raw };
  const elsewhereRaw = await heldElsewhere(deps, coin.type, isSui ? held.sui : held.coins);
  const chosen = chooseCoins(held.sui, held.coins, { ...needs, elsewhereRaw });
  if (chosen.kind === 'short') throw new Refused('not-enough-coins', chosen.message);
  const payments = next.lines.flatMap((index) => plan.lines[index] ?? []);
  const { epoch, gasPriceMist } = await sui.readEpoch();
  const { gasCoins, coins, gasMaxMist } = chosen;
  const objects = [...coins, ...gasCoins];
  const proven = await simulateAndCompare(deps, {
    coinType: coin.type,
    gasMaxMist,
    terms: {
      sender: deps.settings.treasuryAddress,
      gasCoins,
      gasPriceMist: gasPriceMist * gasPriceMargin,
      coins,
      payments: payments.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
      expiresEpoch: epoch + 1n,
    },
  });
  return { ...proven, payout, lines: next.lines, objects, chainId, builtCheckpoint, expiresEpoch: epoch + 1n };
}

/** Validators set the price for each epoch and refuse less, and a transaction waits for signatures into the next epoch. */
const gasPriceMargin = 2n;

function payablePayout({ cache }: PayoutDeps, id: number): PublishedPayout {
  const found = cache.find(id);
  if (found === undefined) throw new Refused('not-found', 'There is no such payout.');
  if (found.summary.withdrawn !== null) throw new Refused('withdrawn', 'This payout is withdrawn, so it is not paid.');
  return found;
}

/** In the order they are spent. `coins` is empty if SUI is paid. */
async function readCoins({ sui, transactions, settings: { treasuryAddress: owner } }: PayoutDeps, coinType: string) {
  const paidBefore = await transactions.firstCoins();
  const read = async (type: string): Promise<readonly CoinObject[]> =>
    coinsInOrder(await sui.listCoinObjects({ owner, coinType: type }).catch(tooManyCoins(type)), paidBefore);
  return { sui: await read(suiCoinType), coins: coinType === suiCoinType ? [] : await read(coinType) };
}

/** Anyone can send coin objects. The ones that paid before could be among those that were not read. */
const tooManyCoins = (coinType: string) => (error: unknown) => {
  if (!(error instanceof Unavailable && error.reason === 'too-many-pages')) throw error;
  const message = `The treasury has too many coin objects of ${shortType(coinType)} to choose from. Merge the small ones in a wallet of the treasury, then build again.`;
  throw new Refused('too-many-coins', message);
};

const recentMax = 8;

/**
 * The coins that a payment a moment ago may have made: the first ones, on which payouts are chained, and those with the highest
 * versions, because what a transaction makes has a higher version than what it spent. Each costs one call.
 */
function recentCoins({ sui, coins }: Readonly<Record<'sui' | 'coins', readonly CoinObject[]>>): readonly CoinObject[] {
  const byVersion = [...usedCoins(sui), ...usedCoins(coins)].toSorted((one, other) =>
    Number(other.version - one.version),
  );
  return [...coins.slice(0, 1), ...sui.slice(0, 1), ...byVersion.slice(0, recentMax)];
}

/** Reads the ledger up to the transactions that made these coins, and to the node's newest checkpoint. */
async function catchUp({ sui, load, ledger }: PayoutDeps, coins: readonly CoinObject[], since: bigint) {
  const digests = new Set(coins.flatMap(({ madeBy }) => madeBy ?? []));
  let madeUpTo = 0n;
  for (const made of await Promise.all([...digests].map((digest) => sui.readTransaction(digest)))) {
    // It is old: the node has pruned it.
    if (made === null) continue;
    if (made.checkpoint === null)
      throw new Unavailable('not-in-a-checkpoint', 'A coin was spent just now', undefined, 5_000);
    if (made.checkpoint > madeUpTo) madeUpTo = made.checkpoint;
  }
  const tip = await sui.readKeptCheckpoints();
  await readLedger(ledger, { since, to: madeUpTo > tip.newest ? madeUpTo : tip.newest });
  await load();
  return tip;
}

async function heldElsewhere({ sui, settings }: PayoutDeps, coinType: string, coins: readonly CoinObject[]) {
  const balances = await sui.listBalances(settings.treasuryAddress);
  const all = balances.find((each) => each.coinType === coinType)?.rawBalance ?? 0n;
  return all - coins.reduce((sum, { raw }) => sum + raw, 0n);
}

interface Draft {
  readonly terms: Omit<PaymentTerms, 'budgetMist'>;
  readonly coinType: string;
  readonly gasMaxMist: bigint;
}

/** Simulated twice: first for its budget, then byte for byte as it is handed out. */
async function simulateAndCompare(deps: PayoutDeps, { terms, coinType, gasMaxMist }: Draft) {
  const first = await simulate(
    deps,
    { ...terms, budgetMist: gasMaxMist },
    gasShortage(gasMaxMist, terms.payments.length),
  );
  const neededMist = budgetFor(first.simulated.gas, terms.gasPriceMist);
  const gasBudgetMist = neededMist < gasMaxMist ? neededMist : gasMaxMist;
  const { bytes, digest, simulated } = await simulate(deps, { ...terms, budgetMist: gasBudgetMist });
  const difference = differenceFrom({ ...terms, coinType, budgetMist: gasBudgetMist }, simulated);
  if (difference !== null) throw new Refused('simulation-differs', difference);
  return { bytes, digest, gasBudgetMist, gasMist: gasMistOf(simulated.gas) };
}

/** `ifItFails`: what to say before the node's own words. */
async function simulate({ sui }: PayoutDeps, terms: PaymentTerms, ifItFails = '') {
  const built = await buildPayment(terms);
  const simulated = await sui.simulateTransaction(built.bytes);
  const words = simulated.kind === 'refused' ? simulated.words : simulated.failure;
  if (simulated.kind === 'ran' && words === null) return { ...built, simulated };
  const message = `The transaction fails in the node's simulation: ${foreignText(words, 200)}`;
  throw new Refused('simulation-failed', `${ifItFails}${message}`);
}
