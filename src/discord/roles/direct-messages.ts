import { type Kysely, sql } from 'kysely';

import { databaseNowPlus, statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { pause } from '../../process/in-time.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { PlatformOutcome, RolePlatform } from '../ports.ts';
import { presentGuildsWithDue } from '../servers/guild-config-store.ts';
import { isSwitchedOn } from './member-roles.ts';
import { readMember } from './member-store.ts';
import { directMessages, type RolesDeps } from './role-jobs.ts';

interface MessageDeps extends Pick<RolesDeps, 'db' | 'log'> {
  readonly platform: RolePlatform;
}

type Db = Kysely<Database>;

/** So few that a notice, which a removal waits for, never waits behind many payout messages. */
const messagesAtOnceMax = 10;
/** Per copy. Discord treats a bot that messages many people quickly as spam. */
const betweenMessagesMs = 1_000;
const callWithinMs = 15_000;
/** Until the next attempt. Longer than a call may take, so that a message whose copy died is not sent twice at once. */
const pauseMs = 20_000;
/** Rulings R5: the message comes before the removal, which waits no longer than this for one that keeps failing. */
const noticeTriedMs = 5 * 60_000;
/** Nothing waits for a payout message, so it is retried through an outage of Discord. */
const payoutTriedMs = 24 * 3_600_000;

/** Queues the direct message that comes before a removal. It replaces an earlier one. */
export async function enqueueNotices(trx: Db, guildId: string, userIds: readonly string[], content: string) {
  await sql`
    insert into discord_direct_messages (guild_id, user_id, content, due_at)
    select ${guildId}, user_id, ${content}, clock_timestamp() from unnest(${[...userIds].sort()}::text[]) member(user_id)
    on conflict (guild_id, user_id) where payout is null do update
      set content = excluded.content, due_at = excluded.due_at, told_at = excluded.due_at, failure = null`.execute(trx);
}

const noticesFirst = sql`d.payout is not null, d.due_at`;

export async function dueMessages(db: Db): Promise<readonly { readonly id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from ${sql.raw(presentGuildsWithDue('discord_direct_messages'))} cross join lateral (
      select d.id, d.payout, d.due_at from discord_direct_messages d
      where d.guild_id = g.guild_id and d.due_at <= ${statementBegun} order by ${noticesFirst} limit ${messagesAtOnceMax}) d
    order by ${noticesFirst} limit ${messagesAtOnceMax}`.execute(db);
  return rows;
}

/** Sends messages before removals (rulings R5) and about payouts. */
export const directMessageJob = (deps: MessageDeps): JobDefinition<{ id: string }> => ({
  ...directMessages,
  failing: 'Direct messages could not be sent',
  run: async ({ id }, stop) => {
    const message = await begin(deps.db, id);
    if (message === null) return;
    if (!(await isWanted(deps.db, message))) return end(deps.db, id, null);
    const outcome = await send(deps, message);
    if (outcome?.kind === 'limited') await putOffAll(deps.db, id, outcome.retryAfterMs);
    const isOver = message.isLast || outcome?.kind === 'done' || outcome?.kind === 'refused';
    if (isOver) await end(deps.db, id, failureOf(outcome));
    await pause(betweenMessagesMs, stop);
  },
});

async function end(db: Db, id: string, failure: string | null): Promise<void> {
  const messages = db.updateTable('discordDirectMessages').where('id', '=', id).where('dueAt', 'is not', null);
  await messages.set({ dueAt: null, content: null, failure }).execute();
}

/** The limit applies to the whole bot: none of its messages is tried before it ends, which would prolong it. */
async function putOffAll(db: Db, tried: string, forMs: number): Promise<void> {
  // A limit may last for days: no message is put off beyond its last attempt.
  const until = sql`least(${databaseNowPlus(forMs)}, ${lastAt})`;
  const waiting = sql`select id from discord_direct_messages where due_at is not null for no key update skip locked`;
  await sql`
    update discord_direct_messages d
    set due_at = case when id = ${tried} then ${until} else greatest(due_at, ${until}) end
    where id in (${waiting})`.execute(db);
}

interface Message {
  readonly id: string;
  readonly guildId: string;
  readonly userId: string;
  /** null: it is about a removal. */
  readonly payout: number | null;
  readonly content: string;
  readonly isLast: boolean;
}

/** Of a message `d`: it is tried until then, and then once more. */
const lastAt = sql`case
  when d.payout is not null then d.told_at + ${payoutTriedMs} * interval '1 millisecond'
  else greatest(d.told_at + ${noticeTriedMs} * interval '1 millisecond', (select m.removal_due_at from discord_members m
    where m.guild_id = d.guild_id and m.user_id = d.user_id)) end`;

/** If this copy dies now, the message is due again after the pause. null: it is not due. */
async function begin(db: Db, id: string): Promise<Message | null> {
  const { rows } = await sql<Message>`
    update discord_direct_messages d set due_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    where id = ${id} and due_at <= clock_timestamp() and ${isSwitchedOn}
    returning id, guild_id, user_id, payout, content, ${lastAt} <= clock_timestamp() as is_last`.execute(db);
  return rows[0] ?? null;
}

async function isWanted(db: Db, { guildId, userId, payout }: Message): Promise<boolean> {
  const member = await readMember(db, guildId, userId);
  if (member?.isInGuild !== true) return false;
  if (payout !== null) return member.payoutMessagesSince !== null;
  // An authorized wallet counts as holding even before the check that says so.
  return member.roleState === 'grace' && !member.wallets.some(({ isAuthorized }) => isAuthorized);
}

/** null: Discord did not say whether it was sent. */
async function send({ platform, log }: MessageDeps, { id, userId, content }: Message): Promise<PlatformOutcome | null> {
  try {
    // Not the job's own signal: a call to Discord that has started is completed.
    return await platform.sendDirectMessage(userId, content, AbortSignal.timeout(callWithinMs), `message ${id}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error }, 'Discord did not confirm a direct message');
    return null;
  }
}

function failureOf(outcome: PlatformOutcome | null): string | null {
  if (outcome?.kind === 'done') return null;
  return outcome?.kind === 'refused' && outcome.code === 'direct-messages-closed'
    ? 'direct-messages-closed'
    : 'direct-message-failed';
}
