import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';

import type { PayoutTransaction } from '../../src/payouts/payout-admin-contract.ts';
import type { PayoutPlan } from '../../src/payouts/payouts-contract.ts';
import { differenceFromPlan } from '../../src/payouts/web/admin/transaction-bytes.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { PayingScene } from './paying-scene.ts';
import { newestOf, someHolders } from './treasurer-calls.ts';

let newestHolder = 0x10_000;

/** Steps shared by tests of paying. */
export function payingSteps(scene: () => PayingScene) {
  const handOut = async (holders: readonly string[], coinType: string = suiCoinType) => {
    const id = await scene().publish({ holders, coinType });
    return { id, built: newestOf(await scene().build(id)) };
  };
  /** How the bytes differ from the plan, as the page checks before signing; null: they equal it. */
  const differenceOf = async (id: number, built: PayoutTransaction): Promise<string | null> => {
    const [kept] = await scene().database.rows<{ plan: PayoutPlan }>(
      `select plan::jsonb from payouts where id = ${id}`,
    );
    const { bytes, received, gasBudgetMist, expiresEpoch } = built;
    if (kept === undefined || bytes === null || received === null) throw new Error('Its bytes are not shown');
    const treasury = scene().sandbox.facts.treasuryAddress;
    return differenceFromPlan(bytes, { ...kept, received, treasury, gasBudgetMist, expiresEpoch });
  };
  /** The holders who did not get exactly this amount, in one coin object. */
  const oddlyPaid = (holders: readonly string[], raw: string, coinType: string = suiCoinType): readonly string[] =>
    holders.filter((address) => scene().gotBy(address, coinType).join() !== raw);
  const newHolders = (count: number): readonly string[] => someHolders(count, (newestHolder += 0x10_000));
  /** A payment that a team member makes with the SDK, out of exactly this coin object. */
  async function payByHand(coin: { objectId: string; version: string; digest: string }, to: string, raw: bigint) {
    const tx = new Transaction();
    tx.setSender(scene().sandbox.facts.treasuryAddress);
    tx.setGasPrice(1_000);
    tx.setGasBudget(20_000_000);
    tx.setGasPayment([coin]);
    tx.transferObjects([tx.splitCoins(tx.gas, [raw])[0]], to);
    const bytes = await tx.build();
    return scene().sandbox.chain.execute(bytes, [await scene().sign(bytes)]);
  }
  const coinsOf = async (coinType: string = suiCoinType) => {
    const client = new SuiGrpcClient({ network: 'mainnet', baseUrl: scene().sandbox.urls.sui });
    const coins: Awaited<ReturnType<typeof client.listCoins>>['objects'] = [];
    for (let cursor: string | null = null; ;) {
      const page = await client.listCoins({ owner: scene().sandbox.facts.treasuryAddress, coinType, cursor });
      coins.push(...page.objects);
      if (!page.hasNextPage) return coins;
      cursor = page.cursor;
    }
  };
  /** The coin object on which transactions are chained. */
  const firstCoin = async () => {
    const [row] = await scene().database.rows<{ id: string }>(
      "select objects->0->>'objectId' id from payout_transactions order by payout_transactions.id desc limit 1",
    );
    const found = (await coinsOf()).find(({ objectId }) => objectId === row?.id);
    if (found === undefined) throw new Error('There is no such coin');
    return found;
  };
  const countKept = async () =>
    Number((await scene().database.rows<{ n: string }>('select count(*) n from payout_transactions'))[0]?.n);
  return { handOut, differenceOf, oddlyPaid, newHolders, payByHand, coinsOf, firstCoin, countKept };
}
