import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import { Refused } from '../../shared/failure.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import type { ChatStore } from './chat-store.ts';
import { changedFields, changesNothing, subjectOf } from './configuration-fields.ts';
import {
  type Configuration,
  type ConfigurationChange,
  type ConfigurationStore,
  dropPending,
} from './configuration-store.ts';

/** The bot's name as a listener (notify/delivery-listener.ts). */
export const listenerName = 'telegram';

/** The author of a change: an admin in the dashboard, or a group admin in Telegram. */
export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

export interface ConfiguringDeps {
  readonly db: Kysely<Database>;
  readonly configurations: ConfigurationStore;
  readonly chats: ChatStore;
  readonly setups: SetupStore;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly audit: AuditTrail;
}

/** `stale`: it was made from an outdated version (rulings R6). */
export type Changed =
  | { readonly kind: 'changed'; readonly configuration: Configuration }
  | { readonly kind: 'stale'; readonly current: Configuration };

/** One collection per group (specification 9): the chat tracks another one by now. */
type ChatTaken = { readonly kind: 'chat-taken'; readonly collectionName: string };

export interface By {
  readonly actor: Actor;
  /** Shown in the audit log. */
  readonly action: string;
  /** null: any version. */
  readonly ifVersion: number | null;
}

type Work<Result> = (trx: Trx, held: Configuration) => Promise<Result>;

/** A change of a configuration, with its log entry, its watch and its messages in one transaction. */
export const changeHeld = <Taken extends ChatTaken>(
  deps: ConfiguringDeps,
  id: string,
  by: By,
  work: Work<Configuration | Taken>,
  isDeleted = false,
): Promise<Changed | Taken> =>
  transact(deps.db, async (trx): Promise<Changed | Taken> => {
    const held = await (isDeleted ? holdWithChat(trx, deps, id) : deps.configurations.hold(trx, id));
    if (held === null || (held.deletedAt !== null) !== isDeleted) throw noSuchConfiguration(isDeleted);
    if (by.ifVersion !== null && by.ifVersion !== held.version) return { kind: 'stale', current: held };
    const done = await work(trx, held);
    if ('kind' in done) return done;
    // Nothing was changed: nothing to log.
    if (done.version === held.version) return { kind: 'changed', configuration: held };
    const chat = await deps.chats.read(Number(held.chatId), trx);
    const subject = subjectOf(held, chat?.title ?? '');
    await deps.audit.record({ actor: by.actor, action: by.action, subject, ...changedFields(held, done) }, trx);
    return { kind: 'changed', configuration: done };
  });

/** A new version only for a real difference. */
export const applied = async (
  trx: Trx,
  { configurations }: ConfiguringDeps,
  held: Configuration,
  change: ConfigurationChange,
): Promise<Configuration> => (changesNothing(held, change) ? held : configurations.change(trx, held.id, change));

export const changeConfiguration = (deps: ConfiguringDeps, id: string, change: ConfigurationChange, by: By) =>
  changeHeld<never>(deps, id, by, (trx, held) => applied(trx, deps, held, change));

export const removeConfiguration = (deps: ConfiguringDeps, id: string, by: By) =>
  changeHeld<never>(deps, id, by, async (trx, held) => {
    await takeAway(trx, deps, held, { by: by.actor.name, reason: 'configuration-deleted' });
    return (await deps.configurations.hold(trx, id)) ?? held;
  });

export const restoreConfiguration = (deps: ConfiguringDeps, id: string, by: By) =>
  changeHeld<ChatTaken>(deps, id, by, (trx, held) => restoreIn(trx, deps, held), true);

/** Nothing more is posted for it: its waiting messages are cancelled. */
export async function takeAway(
  trx: Trx,
  { configurations, tracking }: ConfiguringDeps,
  held: Configuration,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await configurations.softDelete(trx, held.id, by);
  await tracking.unwatch(listenerName, held.trackedCollectionId, held.id, trx);
  await dropPending(trx, held.id, reason);
}

/** The chat is locked. The mint count continues as if never deleted: mints in between are counted but not posted. */
async function restoreIn(
  trx: Trx,
  deps: ConfiguringDeps,
  { id, chatId, trackedCollectionId, mintedCount, deletedAt }: Configuration,
): Promise<Configuration | ChatTaken> {
  const other = await deps.configurations.ofChat(Number(chatId), trx);
  if (other !== null) return { kind: 'chat-taken', collectionName: other.collectionName };
  if (deletedAt === null) throw noSuchConfiguration(true);
  const mintCount = await deps.history.mintCount(trackedCollectionId, deletedAt, trx);
  const restored = await deps.configurations.restore(trx, id, mintedCount + mintCount);
  if (restored === null) throw noSuchConfiguration(true);
  await followWhileThere(trx, deps, restored);
  return restored;
}

const noSuchConfiguration = (isDeleted: boolean): Refused =>
  new Refused(
    'not-found',
    isDeleted
      ? 'There is no such deleted configuration: it was restored, or its 30 days are over. Refresh the list.'
      : 'There is no such configuration: it may have been deleted or replaced. Refresh the list.',
  );

/** Reads and posts its collection from now on; earlier events are not posted, even if read for other groups. */
export async function followFromNow(
  trx: Trx,
  { configurations, tracking }: Pick<ConfiguringDeps, 'configurations' | 'tracking'>,
  { id, trackedCollectionId }: Configuration,
): Promise<void> {
  await configurations.followAnew(trx, id);
  await tracking.watch(listenerName, trackedCollectionId, id, trx);
}

/** The same, unless the bot was removed from the chat. */
export async function followWhileThere(trx: Trx, deps: ConfiguringDeps, configuration: Configuration): Promise<void> {
  const chat = await deps.chats.read(Number(configuration.chatId), trx);
  if (chat !== null && chat.removedAt === null) await followFromNow(trx, deps, configuration);
}

interface HeldRows {
  readonly chats: Pick<ChatStore, 'hold'>;
  readonly configurations: Pick<ConfigurationStore, 'find' | 'hold'>;
}

/**
 * Changing which configuration a chat has locks the chat before any of its configurations: otherwise two changes could
 * deadlock. Follows a group whose id changes meanwhile. null: no such configuration.
 */
export async function holdWithChat(
  trx: Trx,
  deps: HeldRows,
  id: string,
  heldChatId: string | null = null,
): Promise<Configuration | null> {
  const found = await deps.configurations.find(id, trx);
  if (found === null) return null;
  if (found.chatId === heldChatId) return deps.configurations.hold(trx, id);
  await deps.chats.hold(trx, Number(found.chatId));
  return holdWithChat(trx, deps, id, found.chatId);
}
