import { auditTrail } from '../../src/audit/audit-log.ts';
import type { Config } from '../../src/config.ts';
import { typedKysely } from '../../src/db/connect.ts';
import type { Route, RouteRequest } from '../../src/http/route.ts';
import type { JobDefinition } from '../../src/jobs/jobs.ts';
import { payoutsFrom } from '../../src/payouts/payouts.ts';
import type { PaidPayout } from '../../src/payouts/payouts-contract.ts';
import { createSuiClient, type SuiClient } from '../../src/sources/sui/sui-client.ts';
import { readBalances } from '../../src/treasury/read-treasury.ts';
import { type LedgerGround, openLedger } from './open-ledger.ts';
import { askRoute } from './route-request.ts';

export interface PayoutsGround extends Pick<LedgerGround, 'urls' | 'facts' | 'pool'> {
  /** Wraps the node that payouts use. */
  readonly chain?: (sui: SuiClient) => SuiClient;
  /** Tells holders what they were paid. */
  readonly notifyPaid?: (payout: PaidPayout) => Promise<void>;
}

/** Coins of the sandbox's treasury with their metadata. */
export const coinForms: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>> = {
  [`0x${'2'.padStart(64, '0')}::sui::SUI`]: { symbol: 'SUI', decimals: 9 },
  '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC': { symbol: 'USDC', decimals: 6 },
};

const noPosting = {
  places: async () => [],
  post: async () => null,
  drop: async () => {},
  states: async () => new Map(),
};

/** The part of one copy of the product that pays: payouts and ledger with their real readers. Jobs run after the call that sent them. */
export async function openPayouts({ urls, facts, pool, chain, notifyPaid }: PayoutsGround) {
  const { ledger, run } = await openLedger({ urls, facts, pool });
  const { network, treasuryAddress, collectionType } = facts;
  const limits = { retries: 0, attemptTimeoutMs: 2_000 };
  const sui = createSuiClient({ network, baseUrl: urls.sui, limits });
  const between = chain?.(sui) ?? sui;
  let holders: readonly (string | null)[] = [];
  let onReading: () => boolean = () => true;
  let onSending = (): void => {};
  const owners = () => holders.map((owner, index) => ({ number: index + 1, owner }));
  const balances = await readBalances(sui, treasuryAddress);
  const added = new Map<string, JobDefinition<object>>();
  const sent: { readonly name: string; readonly payload: object }[] = [];
  const payouts = payoutsFrom(
    {
      SUI_NETWORK: network,
      TREASURY_ADDRESS: treasuryAddress,
      COLLECTION_TYPE: collectionType,
      EXPLORER_URL: 'https://suiscan.xyz/mainnet',
    } as unknown as Config,
    {
      database: typedKysely(pool),
      audit: auditTrail,
      changes: { subscribe: () => () => {} },
      jobs: {
        add: (job) => void added.set(job.name, job as unknown as JobDefinition<object>),
        send: async ({ name }, payload) => {
          onSending();
          sent.push({ name, payload });
        },
      },
      ledger,
      clock: { now: () => new Date() },
      log: { info: () => {}, warn: () => {} },
      treasury: { reading: () => ({ ...balances, metadata: new Map(Object.entries(coinForms)) }) },
      rocks: {
        catalog: { owners, nameOf: () => null, showReceipts: () => {} },
        readOwners: async () => ({ isComplete: onReading(), rocks: owners() }),
      },
      sui: between,
      backgroundSui: between,
      telegram: { posting: noPosting },
      discord: { posting: noPosting, notifyPaid: notifyPaid ?? null },
      productName: 'Sui Rocks',
    },
  );
  await payouts.start();
  const user = { id: '1', username: 'ogg', isAdmin: true, rights: 'treasurer' } as const;
  return {
    ledger,
    payouts,
    /** Sets the owners of the rocks, one rock each, in this order; null: the owner is unknown. */
    giveRocksTo: (addresses: readonly (string | null)[]) => void (holders = addresses),
    /** Runs before each reading of all owners for a snapshot; returns whether the marketplace lists every rock. */
    beforeReading: (run: () => boolean) => void (onReading = run),
    /** Runs before each job is sent; if it throws, the job is not sent. */
    beforeSending: (run: () => void) => void (onSending = run),
    readLedger: () => run('treasury-ledger'),
    /** A call of a treasurer; returns the body, and rejects if the call is refused. */
    call: async (method: Route['method'], path: string, given: Partial<RouteRequest> = {}): Promise<unknown> => {
      const route = payouts.routes.find((each) => each.path === path && each.method === method);
      if (route === undefined) throw new Error(`There is no ${method} ${path}`);
      const { body } = (await askRoute(route, { user, ...given })) as { readonly body: unknown };
      for (const { name, payload } of sent.splice(0)) await added.get(name)?.run(payload, new AbortController().signal);
      return body;
    },
  };
}
