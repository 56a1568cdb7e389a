import type { KyselyPlugin } from 'kysely';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { addRoleJobs } from '../../src/discord/roles/roles.ts';
import { createChangeSignal } from '../../src/db/change-signal.ts';
import { createPool, typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createLogger } from '../../src/process/logger.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { untracked } from './holdings.ts';

/**
 * One copy of the role engine, in its own process that tests kill. `ROLE_COPY`: JSON of `{databaseUrl, collectionType, hangsAt}`. On its
 * chain every wallet holds one piece. It writes `hanging` once it has queued the role changes of `hangsAt` servers, and then hangs in the
 * middle of the last one's transaction.
 */
interface CopySettings {
  readonly databaseUrl: string;
  readonly collectionType: string;
  readonly hangsAt: number;
}

const { databaseUrl, collectionType, hangsAt } = JSON.parse(process.env['ROLE_COPY'] ?? '{}') as CopySettings;
const pool = createPool(databaseUrl, silentLog);
const changes = await createChangeSignal({ url: databaseUrl, pool, log: silentLog });
const holds = (wallet: string) =>
  ({
    kind: 'holds',
    nfts: [
      {
        objectId: wallet,
        place: 'wallet',
        kioskId: null,
        isListed: false,
      },
    ],
    asOf: new Date(),
  }) as const;
let queued = 0;
const queueing = new WeakSet<object>();
const hangingPlugin: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => {
    const isQueueing = node.kind === 'RawNode' && /insert into discord_member_roles/.test(node.sqlFragments.join(' '));
    if (isQueueing) queueing.add(queryId);
    return node;
  },
  transformResult: async ({ result, queryId }) => {
    if (queueing.has(queryId)) queued += 1;
    if (queueing.has(queryId) && queued === hangsAt) {
      process.stdout.write('hanging\n');
      await new Promise(() => {});
    }
    return result;
  },
};
const jobs = createJobs({ url: databaseUrl, log: silentLog });
addRoleJobs({
  jobs,
  db: typedKysely(pool).withPlugin(hangingPlugin),
  changes,
  ownership: {
    readWallet: async (_type, wallet) => holds(wallet),
    readWallets: async (_type, wallets) => new Map(wallets.map((wallet) => [wallet, holds(wallet)])),
    readNftType: async () => ({ kind: 'missing' }),
  },
  // This copy only decides; another one carries the changes out.
  platform: {
    grantRole: () => new Promise(() => {}),
    removeRole: () => new Promise(() => {}),
    sendDirectMessage: () => new Promise(() => {}),
  },
  audit: auditTrail,
  watching: untracked,
  clock: systemClock,
  log: createLogger('silent'),
  collectionType,
  recheckIntervalMs: 3_600_000,
  yieldToRequests: async () => {},
});
await jobs.start();
// Keeps the process alive while it hangs.
setInterval(() => {}, 60_000);
