import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { SameBot } from '../../bot-service/same-bot.ts';
import { describeService, type ServiceStore } from '../../bot-service/service-store.ts';
import type { SwitchDeps } from '../../bot-service/switch-service.ts';
import { type Actor, listenerName } from '../configs/configuration-life.ts';
import type { ConfigurationStore } from '../configs/configuration-store.ts';
import type { TelegramStatusAnswer } from '../contract.ts';
import type { AuditTrail } from '../../audit/contract.ts';
import type { CollectionTracking } from '../../market/contract.ts';

export interface StatusDeps {
  readonly store: ServiceStore;
  readonly configurations: Pick<ConfigurationStore, 'count'>;
  readonly pending: () => Promise<{ readonly pendingCount: number; readonly oldestPendingSeconds: number | null }>;
  readonly marketOutage: () => Promise<{ readonly since: Date; readonly collectionCount: number } | null>;
  readonly hasToken: boolean;
  readonly mode: 'polling' | 'webhook';
}

/** GET /api/telegram/status, the same from any copy. */
export async function readStatus(deps: StatusDeps): Promise<TelegramStatusAnswer['data']> {
  const [row, configCount, pending, outage] = await Promise.all([
    deps.store.read(),
    deps.configurations.count(),
    deps.pending(),
    deps.marketOutage(),
  ]);
  const service = describeService(row, deps.hasToken);
  return {
    ...service,
    active: service.state === 'active',
    configCount,
    mode: deps.mode,
    pendingCount: pending.pendingCount,
    oldestPendingSeconds: pending.oldestPendingSeconds,
    marketOutage: outage === null ? null : { ...outage, since: outage.since.toISOString() },
  };
}

/** Causes outside the collection for which nothing is read (the codes of Unavailable). */
const outageReasons: ReadonlySet<string> = new Set([
  'network',
  'timeout',
  'rate-limited',
  'upstream-error',
  'malformed-answer',
  'repeated-cursor',
  'breaker-open',
]);

/** The collections followed by groups that have the bot, and which are not read, in two queries. */
export const readMarketOutage =
  (db: Kysely<Database>, tracking: Pick<CollectionTracking, 'tracked'>) =>
  async (): Promise<{ readonly since: Date; readonly collectionCount: number } | null> => {
    const rows = await db
      .selectFrom('telegramConfigurations as conf')
      .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
      .select('conf.trackedCollectionId as id')
      .distinct()
      .where('conf.deletedAt', 'is', null)
      .where('chat.removedAt', 'is', null)
      .execute();
    if (rows.length === 0) return null;
    const collections = [...(await tracking.tracked(rows.map(({ id }) => BigInt(id)))).values()];
    const failing = collections
      .flatMap(({ failingSince }) => failingSince ?? [])
      .filter(({ reason }) => outageReasons.has(reason));
    const [first] = failing.map(({ at }) => at).toSorted((one, other) => one.getTime() - other.getTime());
    return first === undefined ? null : { since: first, collectionCount: failing.length };
  };

interface AuditedSwitchDeps {
  readonly tracking: Pick<CollectionTracking, 'setPaused'>;
  readonly audit: AuditTrail;
  readonly sameBot: Pick<SameBot, 'allowOther'>;
}

/** While the bot is off nothing is read for it; the audit log says who switched it. */
export const auditedSwitch =
  ({ tracking, audit, sameBot }: AuditedSwitchDeps, actor: Actor): SwitchDeps['onSwitched'] =>
  async (before, after, trx) => {
    await tracking.setPaused(listenerName, after === 'inactive', trx);
    if (after === 'inactive') await sameBot.allowOther(trx);
    const subject = { kind: 'telegram-bot', id: 'telegram', label: 'Telegram bot' };
    const action = after === 'active' ? 'telegram-bot-initialized' : 'telegram-bot-shut-down';
    await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted: after } }, trx);
  };
