import { fileURLToPath } from 'node:url';

import type { Pool } from 'pg';

import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { type Child, startChild } from './child.ts';
import { openPayouts } from './open-payouts.ts';
import type { DoomedPayer } from './paying-copy-process.ts';
import {
  newestOf,
  type Planned,
  receivedBy,
  refusalOf,
  someHolders,
  treasurerCalls,
  type TreasurerCalls,
} from './treasurer-calls.ts';

const script = fileURLToPath(new URL('paying-copy-process.ts', import.meta.url));
const raw = '1000000';

interface Ground {
  readonly sandbox: Sandbox;
  readonly database: { readonly url: string; readonly pool: Pool };
}

export interface Aftermath {
  readonly exitCode: number | null;
  /** How far it got. */
  readonly left: 'nothing' | 'draft' | 'published' | 'waiting' | 'executed';
  /** What is wrong after the payout was continued. Empty: every holder is paid, once. */
  readonly problems: readonly string[];
}

/**
 * A copy of the product drafts, publishes and pays, and is killed on the way; then a new copy continues. `number` gives each run a new
 * payout with new holders.
 */
export async function killPayer(
  { sandbox, database }: Ground,
  number: number,
  death: { readonly beforeCall: number } | { readonly kill: (child: Child) => Promise<unknown> },
): Promise<Aftermath> {
  const planned = { title: `Payout ${number}`, holders: someHolders(4, number * 0x1000) };
  const beforeCall = 'beforeCall' in death ? death.beforeCall : null;
  const { urls, facts } = sandbox;
  const doomed: DoomedPayer = { urls, facts, databaseUrl: database.url, calls: beforeCall, planned };
  const child = startChild(script, [JSON.stringify(doomed)], {});
  if ('kill' in death) await child.firstLine().then(() => death.kill(child));
  const exitCode = await child.exited;
  const copy = await openPayouts({ urls, facts, pool: database.pool });
  const calls = treasurerCalls(copy, (bytes) => sandbox.wallets.signTransaction('Treasury', bytes));
  const { id, left } = await whatIsLeft(calls, planned);
  const rest = await refusalOf(calls.build(id).then((data) => calls.pay(id, newestOf(data))));
  const { state, lines, strays } = await calls.page(id);
  const states = (await calls.list(id)).transactions.map((transaction) => transaction.state);
  await copy.payouts.stop();
  await copy.ledger.stop();
  const gotBy = receivedBy(sandbox);
  const problems = [
    ...(rest.code === 'not refused' || rest.code === 'nothing-open' ? [] : [`Going on: ${String(rest.message)}`]),
    ...planned.holders.flatMap((address) => {
      const got = gotBy(address).join();
      return got === raw ? [] : [`${address} got ${got}`];
    }),
    ...(state === 'paid' && lines.paid === planned.holders.length && strays.length === 0 ? [] : [`It is ${state}`]),
    ...(states.join() === 'executed' ? [] : [`Its transactions are ${states.join(', ')}`]),
  ];
  return { exitCode, left, problems: problems.map((problem) => `${problem}\n${child.output()}`) };
}

/** Publishes what is not published yet. */
async function whatIsLeft(calls: TreasurerCalls, planned: Planned): Promise<{ id: number; left: Aftermath['left'] }> {
  const found = (await calls.all()).find(({ terms }) => terms.title === planned.title);
  if (found === undefined) return { id: await calls.publish(planned), left: 'nothing' };
  const { id } = found;
  if (found.state === 'draft') {
    await calls.publishDraft(id, planned.holders);
    return { id, left: 'draft' };
  }
  const [transaction] = (await calls.list(id)).transactions;
  if (transaction === undefined) return { id, left: 'published' };
  return { id, left: transaction.state === 'executed' ? 'executed' : 'waiting' };
}
