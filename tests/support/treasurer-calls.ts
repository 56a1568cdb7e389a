import {
  type AdminPayout,
  type AdminPayoutsAnswer,
  type ChainCheckAnswer,
  type PayoutTransaction,
  payoutTransactionsAnswer,
  type PayoutTransactionsAnswer,
} from '../../src/payouts/payout-admin-contract.ts';
import type { PayoutAnswer } from '../../src/payouts/payouts-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import type { openPayouts } from './open-payouts.ts';
import { dataOf } from './route-request.ts';

type Data = PayoutTransactionsAnswer;
export type TreasurerCalls = ReturnType<typeof treasurerCalls>;

export interface Planned {
  readonly holders: readonly string[];
  readonly title?: string;
  readonly coinType?: string;
  /** Base units per rock; every holder has one rock. */
  readonly raw?: bigint;
}

const payouts = '/api/admin/payouts';
const transactions = `${payouts}/{id}/transactions`;

/** The calls of a treasurer, from the draft to the last payment. Each rejects if it is refused. */
export function treasurerCalls(
  { call, giveRocksTo }: Pick<Awaited<ReturnType<typeof openPayouts>>, 'call' | 'giveRocksTo'>,
  sign: (bytes: Uint8Array) => Promise<string>,
) {
  const to = (id: number, more: object = {}) => ({ params: { id: String(id), ...more } });
  const transactionsIn = (body: unknown): Data => dataOf(payoutTransactionsAnswer, body);
  const all = async (): Promise<readonly AdminPayout[]> =>
    ((await call('GET', payouts)) as { data: AdminPayoutsAnswer }).data.payouts;
  const calls = {
    all,
    draft: async ({
      holders,
      title = 'October',
      coinType = suiCoinType,
      raw = 1_000_000n,
    }: Planned): Promise<number> => {
      giveRocksTo(holders);
      const amount = { mode: 'per-rock', raw: String(raw) };
      const body = { title, reason: 'Revenue', coinType, amount, leftOut: [] };
      return ((await call('POST', payouts, { body })) as { data: AdminPayout }).data.id;
    },
    /** Takes the snapshot of a draft; returns the draft afterwards. */
    snapshot: async (id: number): Promise<AdminPayout> => {
      await call('POST', `${payouts}/{id}/snapshot`, to(id));
      const draft = (await all()).find((each) => each.id === id);
      if (draft === undefined) throw new Error('The draft is gone');
      return draft;
    },
    publishDraft: async (id: number, holders: readonly string[]): Promise<void> => {
      giveRocksTo(holders);
      const { plan, snapshot } = await calls.snapshot(id);
      if (plan === null) throw new Error(`There is no plan: ${snapshot.problem}`);
      await call('POST', `${payouts}/{id}/publish`, { ...to(id), body: { sha256: plan.sha256 } });
    },
    /** Publishes a payout; returns its number. */
    publish: async (planned: Planned): Promise<number> => {
      const id = await calls.draft(planned);
      await calls.publishDraft(id, planned.holders);
      return id;
    },
    list: async (id: number) => transactionsIn(await call('GET', transactions, to(id))),
    build: async (id: number) => transactionsIn(await call('POST', transactions, to(id))),
    send: async (id: number, digest: string, signature: string) =>
      transactionsIn(
        await call('POST', `${transactions}/{digest}/send`, { ...to(id, { digest }), body: { signature } }),
      ),
    checkChain: async (id: number, digest: string | null) =>
      ((await call('POST', `${transactions}/check`, { ...to(id), body: { digest } })) as { data: ChainCheckAnswer })
        .data,
    withdraw: (id: number) => call('POST', `${payouts}/{id}/withdraw`, { ...to(id), body: { reason: 'Wrong' } }),
    /** The answer behind the public page. */
    page: async (id: number, query: object = {}) =>
      ((await call('GET', '/api/payouts/{id}', { ...to(id), query })) as { data: PayoutAnswer }).data,
    /** Signs a waiting transaction and sends it. */
    pay: async (id: number, { digest, bytes }: Pick<PayoutTransaction, 'digest' | 'bytes'>): Promise<Data> =>
      calls.send(id, digest, await sign(bytesOf(bytes))),
  };
  return calls;
}

/** The payments that an address got from the treasury, in base units. */
export const receivedBy =
  ({ world, facts }: Pick<Sandbox, 'world' | 'facts'>) =>
  (address: string, coinType = suiCoinType): bigint[] =>
    world.state.transactions.flatMap(({ sender, balanceChanges }) =>
      sender === facts.treasuryAddress
        ? balanceChanges
            .filter((each) => each.address === address && each.coinType === coinType)
            .map(({ amount }) => amount)
        : [],
    );

/** `count` addresses; another `from` gives other ones. */
export const someHolders = (count: number, from = 0x1000): string[] =>
  Array.from({ length: count }, (_, index) => `0x${(from + index).toString(16).padStart(64, '0')}`);

export const bytesOf = (base64: string | null): Uint8Array => new Uint8Array(Buffer.from(base64 ?? '', 'base64'));

export function newestOf({ transactions: [newest] }: Data): PayoutTransaction {
  if (newest === undefined) throw new Error('There is no transaction');
  return newest;
}

/** The code and the sentence of a call that is refused, or cannot be answered. */
export const refusalOf = (call: Promise<unknown>): Promise<{ readonly code: unknown; readonly message: unknown }> =>
  call.then(
    () => ({ code: 'not refused', message: '' }),
    (error: Error & { reason?: string }) => ({ code: error.reason ?? error, message: error.message }),
  );
