import type { Update } from 'grammy/types';
import { type Kysely, sql } from 'kysely';

import { keptUpdate } from '../core/kept-update.ts';
import type { TelegramTables } from './tables.ts';

export interface InboxEntry {
  readonly update: Update;
  readonly chatId: number;
  /** This copy could begin with it; else it waits in its row. */
  readonly hasRoom: boolean;
}

interface InboxRoom {
  readonly rows: number;
  /** Updates that this copy has in hand. */
  readonly heldIds: readonly number[];
  /** Chats of which it has enough in hand. */
  readonly fullChatIds: readonly number[];
}

/** Updates that are not to be lost, as rows. Throws what the database throws. */
export interface InboxStore {
  /** In one statement. Answers the ids of those that this copy may begin with: new ones, with nothing of their chat before them elsewhere. */
  write(entries: readonly InboxEntry[]): Promise<ReadonlySet<number>>;
  /** They are handled. Answers in which of their chats more waits. */
  settle(updateIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Takes what waits, or was left by a copy that fell silent, in the order in which it came. */
  claim(room: InboxRoom): Promise<readonly Update[]>;
  /** This copy is still at them. */
  renew(updateIds: readonly number[]): Promise<void>;
  /** This copy has not begun with them: any may at once. */
  release(updateIds: readonly number[]): Promise<void>;
  /** Forgets what nobody will bring again, and gives up what is too old or was tried too often. */
  clean(): Promise<void>;
}

interface InboxOptions {
  readonly db: Kysely<TelegramTables>;
  /** Names this copy of the product. */
  readonly copy: string;
  /** A copy that dies holds its updates up for so long. */
  readonly claimMs: number;
}

/** One update that ends the process must not end it for ever. */
const attemptsMax = 10;
/** Of one chat at once, so that a chat in which much waits leaves room for others. */
const perChatMax = 20;

const now = sql`clock_timestamp()`;
const isFree = sql`(i.claimed_until is null or i.claimed_until < ${now})`;

export function createInboxStore(options: InboxOptions): InboxStore {
  const { db, copy } = options;
  const until = claimedUntil(options);
  return {
    write: (entries) => write(options, entries),
    settle: async (updateIds) => {
      const { rows } = await sql<{ chat_id: string }>`
        with done as (
          update telegram_inbox set handled_at = ${now}, update = null, claimed_by = null, claimed_until = null
          where update_id = any(${updateIds}::bigint[]) returning chat_id
        )
        select distinct chat_id from telegram_inbox
        where chat_id in (select chat_id from done) and handled_at is null and claimed_until is null`.execute(db);
      return new Set(rows.map(({ chat_id: id }) => Number(id)));
    },
    claim: (room) => claim(options, room),
    renew: async (updateIds) => {
      await sql`
        update telegram_inbox set claimed_until = ${until}
        where update_id = any(${updateIds}::bigint[]) and claimed_by = ${copy}`.execute(db);
    },
    release: async (updateIds) => {
      await sql`
        update telegram_inbox set claimed_by = null, claimed_until = null, attempts = attempts - 1
        where update_id = any(${updateIds}::bigint[]) and claimed_by = ${copy}`.execute(db);
    },
    clean: () => clean(db),
  };
}

const claimedUntil = ({ claimMs }: InboxOptions) => sql`${now} + ${claimMs}::float8 * interval '1 millisecond'`;

async function write(options: InboxOptions, entries: readonly InboxEntry[]): Promise<ReadonlySet<number>> {
  const { db, copy } = options;
  const ids = entries.map(({ update }) => update.update_id);
  const chatIds = entries.map(({ chatId }) => chatId);
  const updates = entries.map(({ update }) => keptUpdate(update));
  const rooms = entries.map(({ hasRoom }) => hasRoom);
  const { rows } = await sql<{ update_id: string; claimed_by: string | null }>`
    with given as (
      select * from unnest(${ids}::bigint[], ${chatIds}::bigint[], ${updates}::text[], ${rooms}::boolean[])
        as t (update_id, chat_id, update, has_room)
    ), judged as (
      select given.*, has_room and not exists (
        select 1 from telegram_inbox o where o.chat_id = given.chat_id and o.handled_at is null
          and (o.claimed_by is distinct from ${copy} or o.claimed_until < ${now})) as is_mine
      from given
    )
    insert into telegram_inbox (update_id, chat_id, update, claimed_by, claimed_until, attempts)
    select update_id, chat_id, update::json, case when is_mine then ${copy} end,
      case when is_mine then ${claimedUntil(options)} end, is_mine::int
    from judged
    on conflict (update_id) do nothing
    returning update_id, claimed_by`.execute(db);
  return new Set(rows.filter(({ claimed_by: by }) => by !== null).map(({ update_id: id }) => Number(id)));
}

async function claim(options: InboxOptions, room: InboxRoom): Promise<readonly Update[]> {
  const { db, copy } = options;
  const { rows } = await sql<{ update: Update }>`
    with waiting as (
      select update_id, row_number() over (partition by chat_id order by update_id) as place
      from telegram_inbox i
      where handled_at is null and ${isFree} and chat_id <> all(${room.fullChatIds}::bigint[]) and not exists (
        select 1 from telegram_inbox o where o.chat_id = i.chat_id and o.handled_at is null
          and o.claimed_by <> ${copy} and o.claimed_until >= ${now})
    ), due as (
      select i.update_id from telegram_inbox i join waiting using (update_id)
      where place <= ${perChatMax} and i.handled_at is null and ${isFree} and attempts < ${attemptsMax}
        and i.update_id <> all(${room.heldIds}::bigint[])
      order by i.update_id limit ${room.rows} for update of i skip locked
    ), claimed as (
      update telegram_inbox i set claimed_by = ${copy}, claimed_until = ${claimedUntil(options)}, attempts = attempts + 1
      from due where i.update_id = due.update_id returning i.update_id, i.update
    )
    select update from claimed order by update_id`.execute(db);
  return rows.map(({ update }) => update);
}

/** Telegram itself keeps an update for a day (Bot API, Getting updates), and repeats one within minutes. */
const clean = async (db: Kysely<TelegramTables>): Promise<void> => {
  // Not clock_timestamp(): a volatile function cannot use the indexes.
  await sql`
    delete from telegram_inbox i
    where handled_at < statement_timestamp() - interval '1 hour'
      or received_at < statement_timestamp() - interval '1 day'
      or (handled_at is null and ${isFree} and attempts >= ${attemptsMax})`.execute(db);
};
