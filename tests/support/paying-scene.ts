import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { AdminPayout, AdminPayoutsAnswer } from '../../src/payouts/payout-admin-contract.ts';
import {
  type LookAnswer,
  type PayoutTransaction,
  payoutTransactionsAnswer,
  type PayoutTransactionsAnswer,
} from '../../src/payouts/payout-transactions-contract.ts';
import type { PayoutAnswer } from '../../src/payouts/payouts-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { openPayouts, type PayoutsGround } from './open-payouts.ts';

type Data = PayoutTransactionsAnswer['data'];
export type PayingScene = Awaited<ReturnType<typeof startPayingScene>>;

interface Planned {
  readonly holders: readonly string[];
  readonly coinType?: string;
  /** Base units for each rock, of which every holder has one. */
  readonly raw?: bigint;
}

interface SceneOptions extends Pick<PayoutsGround, 'chain'> {
  readonly sandbox?: SandboxOptions;
  /** A further copy of the product on the same ground. */
  readonly on?: { readonly sandbox: Sandbox; readonly database: TestDatabase };
}

/** So many addresses; another `from` are others. */
export const someHolders = (count: number, from = 0x1000): string[] =>
  Array.from({ length: count }, (_, index) => `0x${(from + index).toString(16).padStart(64, '0')}`);

const transactionsPath = '/api/admin/payouts/{id}/transactions';

/** A treasury with its keys on the sandbox's chain, a database, and the calls of a treasurer who pays out of it. */
export async function startPayingScene({ sandbox: options, on, chain }: SceneOptions = {}) {
  const sandbox = on?.sandbox ?? (await startSandbox(options));
  const database = on?.database ?? (await testDatabase());
  const { urls, facts } = sandbox;
  const copy = await openPayouts({ urls, facts, pool: database.pool, ...(chain && { chain }) });
  const dataOf = (body: unknown): Data => payoutTransactionsAnswer.parse(body).data;
  const to = (id: number, more: object = {}) => ({ params: { id: String(id), ...more } });
  const sign = (bytes: Uint8Array): Promise<string> => sandbox.wallets.signTransaction('Treasury', bytes);
  const scene = {
    sandbox,
    database,
    copy,
    call: copy.call,
    sign,
    /** A published payout; answers its number. */
    publish: async ({ holders, coinType = suiCoinType, raw = 1_000_000n }: Planned): Promise<number> => {
      copy.giveRocksTo(holders);
      const amount = { mode: 'per-rock', raw: String(raw) };
      const body = { title: 'October', reason: 'Revenue', coinType, amount, leftOut: [] };
      const { id } = ((await copy.call('POST', '/api/admin/payouts', { body })) as { data: AdminPayout }).data;
      await copy.call('POST', '/api/admin/payouts/{id}/snapshot', to(id));
      const { payouts } = ((await copy.call('GET', '/api/admin/payouts')) as AdminPayoutsAnswer).data;
      const draft = payouts.find((each) => each.id === id);
      if (!draft?.plan) throw new Error(`There is no plan: ${draft?.snapshot.problem}`);
      await copy.call('POST', '/api/admin/payouts/{id}/publish', { ...to(id), body: { sha256: draft.plan.sha256 } });
      return id;
    },
    list: async (id: number) => dataOf(await copy.call('GET', transactionsPath, to(id))),
    build: async (id: number) => dataOf(await copy.call('POST', transactionsPath, to(id))),
    check: (id: number, bytes: string) =>
      copy.call('POST', `${transactionsPath}/check`, { ...to(id), body: { bytes } }),
    send: async (id: number, digest: string, signatures: readonly string[]) =>
      dataOf(
        await copy.call('POST', `${transactionsPath}/{digest}/send`, { ...to(id, { digest }), body: { signatures } }),
      ),
    look: async (id: number, digest: string | null) =>
      ((await copy.call('POST', `${transactionsPath}/look`, { ...to(id), body: { digest } })) as LookAnswer).data,
    withdraw: (id: number) =>
      copy.call('POST', '/api/admin/payouts/{id}/withdraw', { ...to(id), body: { reason: 'Wrong' } }),
    /** What the public page says. */
    page: async (id: number, query: object = {}) =>
      ((await copy.call('GET', '/api/payouts/{id}', { ...to(id), query })) as PayoutAnswer).data,
    /** Signs what waits and sends it. */
    pay: async (id: number, { digest, bytes }: Pick<PayoutTransaction, 'digest' | 'bytes'>): Promise<Data> =>
      scene.send(id, digest, [await sign(bytesOf(bytes))]),
    /** What an address has got out of the treasury, in coin objects and base units. */
    gotBy: (address: string, coinType = suiCoinType): bigint[] =>
      sandbox.world.state.transactions.flatMap(({ sender, balanceChanges }) =>
        sender === facts.treasuryAddress
          ? balanceChanges
              .filter((each) => each.address === address && each.coinType === coinType)
              .map(({ amount }) => amount)
          : [],
      ),
    end: async (): Promise<void> => {
      await copy.payouts.stop();
      await copy.ledger.stop();
      if (on !== undefined) return;
      await sandbox.stop();
      await database.drop();
    },
  };
  return scene;
}

export const bytesOf = (base64: string | null): Uint8Array => new Uint8Array(Buffer.from(base64 ?? '', 'base64'));

export function newestOf({ transactions }: Data): PayoutTransaction {
  const [newest] = transactions;
  if (newest === undefined) throw new Error('There is no transaction');
  return newest;
}

/** The code and the sentence of a call that is refused, or cannot be answered. */
export const refusalOf = (call: Promise<unknown>): Promise<{ readonly code: unknown; readonly message: unknown }> =>
  call.then(
    () => ({ code: 'not refused', message: '' }),
    (error: Error & { reason?: string }) => ({ code: error.reason ?? error, message: error.message }),
  );
