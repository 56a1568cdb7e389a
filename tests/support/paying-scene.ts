import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { openPayouts, type PayoutsGround } from './open-payouts.ts';
import { receivedBy, treasurerCalls } from './treasurer-calls.ts';

export type PayingScene = Awaited<ReturnType<typeof startPayingScene>>;

interface SceneOptions extends Pick<PayoutsGround, 'chain' | 'notifyPaid'> {
  readonly sandbox?: SandboxOptions;
  /** Makes this another copy of the product, on the same sandbox and database. */
  readonly on?: { readonly sandbox: Sandbox; readonly database: TestDatabase };
}

/** A treasury with its keys on the sandbox's chain, a database, and the calls of a treasurer who pays from it. */
export async function startPayingScene({ sandbox: options, on, ...payoutOptions }: SceneOptions = {}) {
  const sandbox = on?.sandbox ?? (await startSandbox(options));
  const database = on?.database ?? (await testDatabase());
  const { urls, facts } = sandbox;
  const copy = await openPayouts({ urls, facts, pool: database.pool, ...payoutOptions });
  const sign = (bytes: Uint8Array): Promise<string> => sandbox.wallets.signTransaction('Treasury', bytes);
  return {
    ...treasurerCalls(copy, sign),
    sandbox,
    database,
    copy,
    call: copy.call,
    sign,
    gotBy: receivedBy(sandbox),
    end: async (): Promise<void> => {
      await copy.payouts.stop();
      await copy.ledger.stop();
      if (on !== undefined) return;
      await sandbox.stop();
      await database.drop();
    },
  };
}
