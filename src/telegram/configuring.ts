import type { Kysely, Transaction } from 'kysely';

import type { FoundCollection, TrackedCollection } from '../collections/contract.ts';
import { openTransaction } from '../platform/database/open-transaction.ts';
import { Invalid, Refused } from '../shared/failure.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';
import type { ChatStore } from './adapters/chat-store.ts';
import type { Configuration, ConfigurationChange } from './adapters/configuration-row.ts';
import type { ConfigurationStore } from './adapters/configuration-store.ts';
import type { SetupStore } from './adapters/setup-store.ts';
import type { TelegramTables } from './adapters/tables.ts';
import { changedFields, presentFields, subjectOf } from './audited-fields.ts';
import { changesNothing } from './changes-nothing.ts';
import type { AuditTrail, CollectionTracking } from './ports.ts';

/** Who changes something: an admin in the dashboard, or a group admin in Telegram. */
export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

export interface ConfiguringDeps {
  readonly db: Kysely<TelegramTables>;
  readonly configurations: ConfigurationStore;
  readonly chats: ChatStore;
  readonly setups: SetupStore;
  readonly tracking: CollectionTracking;
  readonly audit: AuditTrail;
  /** Takes back what waits to be sent for a configuration that is no more. */
  readonly dropPending: (configurationId: string, reason: string, transaction: OpenTransaction) => Promise<unknown>;
}

interface SetUp {
  readonly chatId: number;
  readonly chatTitle: string;
  readonly topicId: number | null;
  readonly collectionId: string;
  readonly found: FoundCollection;
  readonly tracked: TrackedCollection;
  readonly maxSupply: number;
  readonly actor: Actor;
}

/** The version that a change was made from is not the present one (rulings R6). */
type Stale = { readonly kind: 'stale'; readonly current: Configuration };
export type Changed = { readonly kind: 'changed'; readonly configuration: Configuration } | Stale;
/** One collection per group (specification 9): the chat tracks another one meanwhile. */
type ChatTaken = { readonly kind: 'chat-taken'; readonly collectionName: string };

export interface Configuring {
  /** null: the setup that it confirms is gone, it was confirmed or cancelled before. */
  setUp(setUp: SetUp): Promise<Configuration | null>;
  change(id: string, change: ConfigurationChange, by: By): Promise<Changed>;
  /** `tracked`: the collection that is read from now on. */
  setHexId(id: string, hexCollectionId: string | null, tracked: TrackedCollection, by: By): Promise<Changed>;
  remove(id: string, by: By): Promise<Changed>;
  restore(id: string, by: By): Promise<Changed | ChatTaken>;
}

export interface By {
  readonly actor: Actor;
  /** Stands in the log of changes. */
  readonly action: string;
  /** null: whatever the present version is. */
  readonly ifVersion: number | null;
}

type Work<Result> = (held: Configuration, opened: OpenTransaction) => Promise<Result>;

/** Every change of a configuration, each with its log entry, its watch and its messages in one transaction. */
export function createConfiguring(deps: ConfiguringDeps): Configuring {
  const { db, configurations, tracking } = deps;
  const subjectIn = async (held: Configuration, opened: OpenTransaction) =>
    subjectOf(held, (await deps.chats.read(Number(held.chatId), opened))?.title ?? '');
  const inTransaction = <T>(work: (opened: OpenTransaction) => Promise<T>): Promise<T> =>
    db.transaction().execute((transaction: Transaction<TelegramTables>) => work(openTransaction(transaction)));

  function changing(id: string, by: By, isDeleted: boolean, work: Work<Configuration>): Promise<Changed>;
  function changing(
    id: string,
    by: By,
    isDeleted: boolean,
    work: Work<Configuration | ChatTaken>,
  ): Promise<Changed | ChatTaken>;
  function changing(id: string, by: By, isDeleted: boolean, work: Work<Configuration | ChatTaken>) {
    return inTransaction(async (opened): Promise<Changed | ChatTaken> => {
      const held = await configurations.hold(id, opened);
      if (held === null || (held.deletedAt !== null) !== isDeleted) throw noSuchConfiguration(isDeleted);
      if (by.ifVersion !== null && by.ifVersion !== held.version) return { kind: 'stale', current: held };
      const done = await work(held, opened);
      if ('kind' in done) return done;
      // Nothing was changed: nothing to log.
      if (done.version === held.version) return { kind: 'changed', configuration: held };
      const fields = changedFields(held, done);
      await deps.audit.record(
        { actor: by.actor, action: by.action, subject: await subjectIn(held, opened), ...fields },
        opened,
      );
      return { kind: 'changed', configuration: done };
    });
  }

  /** A new version only of what really differs. */
  const applied = async (held: Configuration, change: ConfigurationChange, opened: OpenTransaction) =>
    changesNothing(held, change) ? held : configurations.change(held.id, change, opened);

  return {
    setUp: (setUp) => inTransaction((opened) => setUpIn(deps, setUp, opened)),
    change: (id, change, by) => changing(id, by, false, (held, opened) => applied(held, change, opened)),
    setHexId: (id, hexCollectionId, tracked, by) =>
      changing(id, by, false, async (held, opened) => {
        const change = { hexCollectionId, trackedCollectionId: tracked.id };
        const configuration = await applied(held, change, opened);
        if (held.trackedCollectionId !== tracked.id) {
          await tracking.unwatch(held.trackedCollectionId, held.id, opened);
          await watchWhileThere(deps, configuration, opened);
        }
        return configuration;
      }),
    remove: (id, by) =>
      changing(id, by, false, async (held, opened) => {
        await take(deps, held, by.actor.name, 'configuration-deleted', opened);
        return (await configurations.hold(id, opened)) ?? held;
      }),
    restore: (id, by) => changing(id, by, true, (held, opened) => restoreIn(deps, held, opened)),
  };
}

async function watchWhileThere(
  { chats, tracking }: ConfiguringDeps,
  { id, chatId, trackedCollectionId }: Configuration,
  opened: OpenTransaction,
): Promise<void> {
  const chat = await chats.read(Number(chatId), opened);
  if (chat !== null && chat.removedAt === null) await tracking.watch(trackedCollectionId, id, opened);
}

async function take(
  { configurations, tracking, dropPending }: ConfiguringDeps,
  held: Configuration,
  by: string,
  reason: string,
  opened: OpenTransaction,
): Promise<void> {
  await configurations.softDelete(held.id, by, opened);
  await tracking.unwatch(held.trackedCollectionId, held.id, opened);
  await dropPending(held.id, reason, opened);
}

async function restoreIn(
  deps: ConfiguringDeps,
  { id, chatId }: Configuration,
  opened: OpenTransaction,
): Promise<Configuration | ChatTaken> {
  await deps.chats.hold(Number(chatId), opened);
  const other = await deps.configurations.ofChat(Number(chatId), opened);
  if (other !== null) return { kind: 'chat-taken', collectionName: other.collectionName };
  const restored = await deps.configurations.restore(id, opened);
  if (restored === null) throw noSuchConfiguration(true);
  await watchWhileThere(deps, restored, opened);
  return restored;
}

async function setUpIn(deps: ConfiguringDeps, setUp: SetUp, opened: OpenTransaction): Promise<Configuration | null> {
  const { chatId, topicId, found, tracked, maxSupply, actor, collectionId, chatTitle } = setUp;
  const { configurations, chats, setups, tracking, audit } = deps;
  await chats.hold(chatId, opened);
  if (!(await setups.end(chatId, opened))) return null;
  const before = await configurations.ofChat(chatId, opened);
  if (before !== null && isSame(before, collectionId, tracked.id)) return correctSupply(deps, before, setUp, opened);
  if (before !== null) await take(deps, before, actor.name, 'configuration-replaced', opened);
  const fresh = {
    chatId,
    trackedCollectionId: tracked.id,
    collectionId,
    collectionName: found.name,
    maxSupply,
    mintedCount: tracked.mintedCount ?? found.mintedCount ?? 0,
    createdBy: 'userId' in actor ? actor.userId : actor.name,
  };
  const configuration = await configurations.insert(fresh, opened);
  await chats.setTopic(chatId, topicId, opened);
  await tracking.watch(tracked.id, configuration.id, opened);
  await audit.record(
    {
      actor,
      action: before === null ? 'telegram-configuration-created' : 'telegram-configuration-replaced',
      subject: subjectOf(configuration, chatTitle),
      ...(before === null
        ? { before: null, after: presentFields(configuration) }
        : changedFields(before, configuration)),
    },
    opened,
  );
  return configuration;
}

/** The group follows this very collection already, by its own id or, without a hex id, in the marketplace. */
const isSame = (before: Configuration, collectionId: string, trackedId: bigint): boolean =>
  before.collectionId === collectionId || (before.hexCollectionId === null && before.trackedCollectionId === trackedId);

/** A second setup of the same collection keeps everything but the maximum supply and the topic. */
async function correctSupply(
  { configurations, chats, audit }: ConfiguringDeps,
  before: Configuration,
  { chatId, chatTitle, topicId, maxSupply, actor }: SetUp,
  opened: OpenTransaction,
): Promise<Configuration> {
  await chats.setTopic(chatId, topicId, opened);
  if (changesNothing(before, { maxSupply })) return before;
  const after = await configurations.change(before.id, { maxSupply }, opened);
  const entry = { actor, action: 'telegram-max-supply-changed', subject: subjectOf(before, chatTitle) };
  await audit.record({ ...entry, ...changedFields(before, after) }, opened);
  return after;
}

const noSuchConfiguration = (isDeleted: boolean): Refused =>
  new Refused(
    'not-found',
    isDeleted
      ? 'There is no such deleted configuration: it was restored, or its 30 days are over. Refresh the list.'
      : 'There is no such configuration: it may have been deleted or replaced. Refresh the list.',
  );

/** Whoever is signed in, as the log of changes names them. Admin calls are never without. */
export function adminOf(user: { readonly id: string; readonly username: string } | null) {
  if (user === null) throw new Refused('not-signed-in', 'Sign in first: this call needs an account.');
  return { kind: 'admin', userId: user.id, name: user.username } as const;
}

/** The version of an `If-Match` header; null without one. Throws Invalid. */
export function versionOf(ifMatch: string | null): number | null {
  if (ifMatch === null || ifMatch === '*') return null;
  if (!/^\d{1,9}$/.test(ifMatch))
    throw new Invalid('invalid-if-match', 'If-Match is the version of the configuration, a whole number.');
  return Number(ifMatch);
}
