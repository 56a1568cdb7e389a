import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/database-log.ts';
import { payoutTransactionsAnswer } from '../../src/payouts/payout-transactions-contract.ts';
import type { SuiClient } from '../../src/sources/sui/sui-client.ts';
import { openPayouts, type PayoutsGround } from './open-payouts.ts';

export interface DoomedPayer extends Pick<PayoutsGround, 'urls' | 'facts'> {
  readonly databaseUrl: string;
  readonly payout: number;
  /** It ends as with kill -9 when it is about to ask the node for the so-manieth time. */
  readonly calls: number;
}

/** One copy of the product, as far as it pays: builds a transaction, has it signed and sends it. Exit code 0: it has come to its end. */
const { databaseUrl, payout, calls, ...ground } = JSON.parse(process.argv[2] ?? '{}') as DoomedPayer;
let asked = 0;
const doomed = (sui: SuiClient): SuiClient =>
  new Proxy(sui, {
    get: (target, name, receiver) => {
      asked += 1;
      if (asked === calls) process.kill(process.pid, 'SIGKILL');
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
const { call } = await openPayouts({ ...ground, pool: createPool(databaseUrl, silentLog), chain: doomed });
const path = '/api/admin/payouts/{id}/transactions';
const built = payoutTransactionsAnswer.parse(await call('POST', path, { params: { id: String(payout) } }));
const [{ digest, bytes } = { digest: '', bytes: '' }] = built.data.transactions;
const signed = await fetch(`${ground.urls.console}/control/wallets/sign-transaction`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ person: 'Treasury', bytes }),
});
const { data } = (await signed.json()) as { data: { signature: string } };
await call('POST', `${path}/{digest}/send`, {
  params: { id: String(payout), digest },
  body: { signatures: [data.signature] },
});
process.exit(0);
