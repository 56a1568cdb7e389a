import type { AuditTrail } from '../../audit/contract.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { supplyMax } from '../cards/mint-progress.ts';
import { changedFields, changesNothing, subjectOf } from './configuration-fields.ts';
import { type Configuration, type ConfigurationChange, dropWaiting } from './configuration-store.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';

/** The bot's name as a listener (notify/delivery-listener.ts). */
export const listenerName = 'telegram';

export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

/** `stale`: the change was made from an outdated version (rulings R6). */
export type Changed =
  | { readonly kind: 'changed'; readonly configuration: Configuration }
  | { readonly kind: 'stale'; readonly current: Configuration };

interface By {
  readonly actor: Actor;
  readonly action: string;
  /** null: any version. */
  readonly ifVersion: number | null;
}

/** Changes a configuration, with its log entry, its watch and its messages in one transaction. */
const changeLocked = (
  deps: TelegramParts,
  { id, lock }: { readonly id: string; readonly lock: typeof lockLive },
  by: By,
  work: (trx: Trx, locked: Configuration) => Promise<Configuration>,
): Promise<Changed> =>
  transact(deps.db, async (trx): Promise<Changed> => {
    const locked = await lock(trx, deps, id);
    if (by.ifVersion !== null && by.ifVersion !== locked.version) return { kind: 'stale', current: locked };
    const done = await work(trx, locked);
    if (done.version === locked.version) return { kind: 'changed', configuration: locked };
    const chat = await deps.chats.read(locked.chatId, trx);
    const subject = subjectOf(locked, chat?.title ?? '');
    await deps.audit.record({ actor: by.actor, action: by.action, subject, ...changedFields(locked, done) }, trx);
    return { kind: 'changed', configuration: done };
  });

async function lockLive(trx: Trx, { configurations }: TelegramParts, id: string): Promise<Configuration> {
  const locked = await configurations.lock(trx, id);
  if (locked === null || locked.deletedAt !== null) throw noSuchConfiguration();
  return locked;
}

async function lockDeleted(trx: Trx, deps: TelegramParts, id: string): Promise<Configuration> {
  const locked = await lockWithChat(trx, deps, id);
  if (locked === null || locked.deletedAt === null) throw noSuchDeletedConfiguration();
  return locked;
}

/** Makes a new version only if something differs. */
const applied = async (
  trx: Trx,
  { configurations }: TelegramParts,
  locked: Configuration,
  change: ConfigurationChange,
): Promise<Configuration> => (changesNothing(locked, change) ? locked : configurations.change(trx, locked.id, change));

export const changeConfiguration = (deps: TelegramParts, id: string, change: ConfigurationChange, by: By) =>
  changeLocked(deps, { id, lock: lockLive }, by, (trx, locked) => applied(trx, deps, locked, change));

export const removeConfiguration = (deps: TelegramParts, id: string, by: By) =>
  changeLocked(deps, { id, lock: lockLive }, by, async (trx, locked) => {
    await deleteConfiguration(trx, deps, locked, { by: by.actor.name, reason: 'configuration-deleted' });
    return (await deps.configurations.lock(trx, id)) ?? locked;
  });

export const restoreConfiguration = (deps: TelegramParts, id: string, by: By) =>
  changeLocked(deps, { id, lock: lockDeleted }, by, (trx, locked) => restoreIn(trx, deps, locked));

/** Deletes a configuration: nothing more is posted for it, and its waiting messages are dropped. */
export async function deleteConfiguration(
  trx: Trx,
  { configurations, activity }: TelegramParts,
  locked: Configuration,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await configurations.softDelete(trx, locked.id, by);
  await activity.unwatch(listenerName, locked.trackedCollectionId, locked.id, trx);
  await dropWaiting(trx, { chatId: locked.chatId, configurationId: locked.id }, reason);
}

/** Needs the chat locked. The mint count continues as if never deleted: mints found in between are counted but not posted. */
async function restoreIn(
  trx: Trx,
  deps: TelegramParts,
  { id, chatId, trackedCollectionId, mintedCount, deletedAt }: Configuration,
): Promise<Configuration> {
  const other = await deps.configurations.ofChat(chatId, trx);
  if (other !== null) {
    const sentence = `This chat now tracks ${other.collectionName}, and a group tracks one collection. Delete that configuration first.`;
    throw new Refused('chat-taken', sentence, { status: 409 });
  }
  if (deletedAt === null) throw noSuchDeletedConfiguration();
  const mintCount = await deps.activity.mintCount(trackedCollectionId, deletedAt, trx);
  const restored = await deps.configurations.restore(trx, id, mintedCount + mintCount);
  if (restored === null) throw noSuchDeletedConfiguration();
  await followWhileThere(trx, deps, restored);
  return restored;
}

const noSuchConfiguration = (): Refused =>
  new Refused('not-found', 'There is no such configuration: it may have been deleted or replaced. Refresh the list.');

const noSuchDeletedConfiguration = (): Refused =>
  new Refused(
    'not-found',
    'There is no such deleted configuration: it was restored, or its 30 days are over. Refresh the list.',
  );

/** Reads and posts its collection from now on; earlier events are not posted, even if read for other groups. */
export async function followFromNow(
  trx: Trx,
  { configurations, activity }: TelegramParts,
  { id, trackedCollectionId }: Configuration,
): Promise<void> {
  await configurations.followAnew(trx, id);
  await activity.watch(listenerName, trackedCollectionId, id, trx);
}

/** The same, unless the bot was removed from the chat. */
async function followWhileThere(trx: Trx, deps: TelegramParts, configuration: Configuration): Promise<void> {
  const chat = await deps.chats.read(configuration.chatId, trx);
  if (chat !== null && chat.removedAt === null) await followFromNow(trx, deps, configuration);
}

/**
 * Locks a chat and then its configuration, the order of all code that locks both: otherwise two changes could deadlock.
 * Follows a group whose id changes meanwhile. null: no such configuration.
 */
export async function lockWithChat(
  trx: Trx,
  deps: TelegramParts,
  id: string,
  lockedChatId: string | null = null,
): Promise<Configuration | null> {
  const found = await deps.configurations.find(id, trx);
  if (found === null) return null;
  if (found.chatId === lockedChatId) return deps.configurations.lock(trx, id);
  await deps.chats.lock(trx, found.chatId);
  return lockWithChat(trx, deps, id, found.chatId);
}

/**
 * Rulings R4: the id used in marketplace queries instead of the group's own. The marketplace is queried with it before
 * anything is stored, so that the right collection is read from then on. Throws Invalid for a malformed or unknown id.
 */
export async function setHexId(deps: TelegramParts, id: string, typed: string | null, by: By): Promise<Changed> {
  const { configurations, activity } = deps;
  const hexCollectionId = canonicalHexId(typed);
  const present = await configurations.find(id);
  if (present === null || present.deletedAt !== null) throw noSuchConfiguration();
  const lookup = await activity.lookUp(hexCollectionId ?? present.collectionId);
  // A product admin may choose an unverified collection; a group may not.
  if (lookup.kind !== 'found' && lookup.kind !== 'unverified') throw unknownThere();
  const tracked = await activity.track(lookup.collection);
  const { id: trackedCollectionId } = tracked;
  const mintedCount = Math.min(tracked.mintedCount ?? lookup.collection.mintedCount ?? 0, supplyMax);
  return changeLocked(deps, { id, lock: lockLive }, by, async (trx, locked) => {
    // The mint count of another collection does not count for this one.
    const counted = locked.trackedCollectionId === trackedCollectionId ? {} : { mintedCount };
    const configuration = await applied(trx, deps, locked, { hexCollectionId, trackedCollectionId, ...counted });
    if (locked.trackedCollectionId !== trackedCollectionId) {
      await activity.unwatch(listenerName, locked.trackedCollectionId, locked.id, trx);
      await dropWaiting(trx, { chatId: locked.chatId, configurationId: locked.id }, 'hex-id-changed');
      await followWhileThere(trx, deps, configuration);
    }
    return configuration;
  });
}

/** Specification 5: the page only hints at the 0x; the server enforces it. null removes the id. */
function canonicalHexId(typed: string | null): string | null {
  const text = typed?.trim() ?? '';
  if (text === '') return null;
  if (!/^0x/i.test(text)) throw new Invalid('invalid-hex-id', 'The hex ID must start with 0x.');
  const canonical = canonicalType(text) ?? canonicalAddress(text);
  if (canonical === null) {
    throw new Invalid('invalid-hex-id', 'The hex ID is neither a Sui address nor a type such as 0x2::module::Type.');
  }
  return canonical;
}

const unknownThere = (): Invalid =>
  new Invalid(
    'unknown-collection',
    'The marketplace knows no collection with this id, so nothing was changed. Copy the id from the page of the collection there.',
  );
