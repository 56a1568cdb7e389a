import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import { Refused, Invalid, Unavailable } from '../../shared/failure.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import type { ChatStore } from './chat-store.ts';
import { changedFields, changesNothing, subjectOf } from './configuration-fields.ts';
import {
  type Configuration,
  type ConfigurationChange,
  type ConfigurationStore,
  dropPending,
} from './configuration-store.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';

/** The bot's name as a listener (notify/delivery-listener.ts). */
export const listenerName = 'telegram';

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

interface By {
  readonly actor: Actor;
  readonly action: string;
  /** null: any version. */
  readonly ifVersion: number | null;
}

/** A change of a configuration, with its log entry, its watch and its messages in one transaction. */
const changeHeld = <Taken extends ChatTaken>(
  deps: ConfiguringDeps,
  id: string,
  by: By,
  work: (trx: Trx, held: Configuration) => Promise<Configuration | Taken>,
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
const applied = async (
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
async function followWhileThere(trx: Trx, deps: ConfiguringDeps, configuration: Configuration): Promise<void> {
  const chat = await deps.chats.read(Number(configuration.chatId), trx);
  if (chat !== null && chat.removedAt === null) await followFromNow(trx, deps, configuration);
}

/**
 * Changing which configuration a chat has locks the chat before any of its configurations: otherwise two changes could
 * deadlock. Follows a group whose id changes meanwhile. null: no such configuration.
 */
export async function holdWithChat(
  trx: Trx,
  deps: Pick<ConfiguringDeps, 'chats' | 'configurations'>,
  id: string,
  heldChatId: string | null = null,
): Promise<Configuration | null> {
  const found = await deps.configurations.find(id, trx);
  if (found === null) return null;
  if (found.chatId === heldChatId) return deps.configurations.hold(trx, id);
  await deps.chats.hold(trx, Number(found.chatId));
  return holdWithChat(trx, deps, id, found.chatId);
}

interface HexIdRefused {
  readonly kind: 'refused';
  readonly status: 422 | 503;
  readonly code: string;
  readonly message: string;
}

/**
 * Rulings R4: the id used in marketplace queries instead of the group's own. The marketplace is queried with it before
 * anything is stored, so that the right collection is read from then on. Throws Invalid for a malformed id.
 */
export async function setHexId(
  deps: ConfiguringDeps,
  id: string,
  typed: string | null,
  by: By,
): Promise<Changed | HexIdRefused> {
  const { configurations, tracking } = deps;
  const hexCollectionId = canonicalHexId(typed);
  const present = await configurations.find(id);
  if (present === null || present.deletedAt !== null) throw noSuchConfiguration(false);
  try {
    const lookup = await tracking.lookUp(hexCollectionId ?? present.collectionId);
    // A product admin may choose an unverified collection; a group may not.
    if (lookup.kind !== 'found' && lookup.kind !== 'unverified') return unknownThere;
    const tracked = await tracking.track(lookup.collection);
    return await storeHexId(deps, id, { hexCollectionId, trackedCollectionId: tracked.id }, by);
  } catch (error) {
    if (error instanceof Unavailable) return silent(error);
    throw error;
  }
}

/** From now on the other collection is read, if it is another. */
const storeHexId = (
  deps: ConfiguringDeps,
  id: string,
  change: Required<Pick<ConfigurationChange, 'hexCollectionId' | 'trackedCollectionId'>>,
  by: By,
): Promise<Changed> =>
  changeHeld<never>(deps, id, by, async (trx, held) => {
    const configuration = await applied(trx, deps, held, change);
    if (held.trackedCollectionId !== change.trackedCollectionId) {
      await deps.tracking.unwatch(listenerName, held.trackedCollectionId, held.id, trx);
      await followWhileThere(trx, deps, configuration);
    }
    return configuration;
  });

/** Specification 5 gives the hint, the server enforces it. null removes the id. */
function canonicalHexId(typed: string | null): string | null {
  const text = typed?.trim() ?? '';
  if (text === '') return null;
  if (!/^0x/i.test(text)) throw new Invalid('invalid-hex-id', 'The hex id must start with 0x.');
  const canonical = canonicalType(text) ?? canonicalAddress(text);
  if (canonical === null) {
    throw new Invalid('invalid-hex-id', 'The hex id is no Sui address and no type such as 0x2::module::Type.');
  }
  return canonical;
}

const unknownThere: HexIdRefused = {
  kind: 'refused',
  status: 422,
  code: 'unknown-collection',
  message: 'The marketplace knows no collection of this id, so nothing was changed. Copy the id from its page there.',
};

/** The chain is asked about what the marketplace does not know: either may be unavailable. */
const silent = ({ upstream }: Unavailable): HexIdRefused => {
  const who = upstream ?? 'The marketplace or the Sui full node';
  return {
    kind: 'refused',
    status: 503,
    code: /sui/i.test(who) ? 'sui-unavailable' : 'marketplace-unavailable',
    message: `${who} does not answer, so the id could not be checked and nothing was changed. Try again in a minute.`,
  };
};
