import { flushCompileCache } from 'node:module';

import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import type { SuiClient } from '../../src/sources/sui/sui-client.ts';
import { openPayouts, type PayoutsGround } from './open-payouts.ts';
import { newestOf, type Planned, treasurerCalls } from './treasurer-calls.ts';

export interface DoomedPayer extends Pick<PayoutsGround, 'urls' | 'facts'> {
  readonly databaseUrl: string;
  readonly planned: Omit<Planned, 'raw'>;
  /** The number of the access to the node at which the process ends as with kill -9. null: it is not killed. */
  readonly calls: number | null;
}

// A killed process does not save its compiled modules; the next one would compile them again.
flushCompileCache();

/** The part of one copy of the product that pays, from the draft to the last payment. Exit code 0: it has finished. */
const { databaseUrl, planned, calls, ...ground } = JSON.parse(process.argv[2] ?? '{}') as DoomedPayer;
let asked = 0;
const doomed = (sui: SuiClient): SuiClient =>
  new Proxy(sui, {
    get: (target, name, receiver) => {
      asked += 1;
      if (asked === calls) process.kill(process.pid, 'SIGKILL');
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
const copy = await openPayouts({ ...ground, pool: createPool(databaseUrl, silentLog), chain: doomed });
const { publish, build, pay } = treasurerCalls(copy, async (bytes) => {
  const signed = await fetch(`${ground.urls.console}/control/wallets/sign-transaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person: 'Treasury', bytes: Buffer.from(bytes).toString('base64') }),
  });
  return ((await signed.json()) as { data: { signature: string } }).data.signature;
});
process.stdout.write('ready\n');
const id = await publish(planned);
await pay(id, newestOf(await build(id)));
process.exit(0);
