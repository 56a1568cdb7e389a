import { type Kysely, sql } from 'kysely';

import { databaseNowPlus, statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { PlatformOutcome, RolePlatform } from '../ports.ts';
import { presentWithDue } from '../servers/guild-config-store.ts';
import { isSwitchedOn } from './member-roles.ts';
import { readCase } from './member-store.ts';
import { directMessages, dueWork, type RolesDeps } from './role-jobs.ts';

interface MessageDeps extends Pick<RolesDeps, 'db' | 'log'> {
  readonly jobs: Pick<RolesDeps['jobs'], 'send'>;
  readonly platform: RolePlatform;
}

type Db = Kysely<Database>;

const messagesAtOnceMax = 200;
const callWithinMs = 15_000;
/** Until the next try. It is longer than a call may take: a message whose copy died is not sent twice at once. */
const pauseMs = 20_000;
/** Rulings R5: the message comes before the removal, which does not wait longer for one that keeps failing. */
const noticeTriedMs = 5 * 60_000;
/** Nothing waits for one about a payout: it outlasts an outage of Discord. */
const payoutTriedMs = 24 * 3_600_000;

/** The direct message that comes before a removal, instead of an earlier one. */
export async function enqueueNotices(trx: Db, guildId: string, userIds: readonly string[], content: string) {
  await sql`
    insert into discord_direct_messages (guild_id, user_id, content, due_at)
    select ${guildId}, user_id, ${content}, clock_timestamp() from unnest(${[...userIds].sort()}::text[]) member(user_id)
    on conflict (guild_id, user_id) where payout is null do update
      set content = excluded.content, due_at = excluded.due_at, told_at = excluded.due_at, failure = null`.execute(trx);
}

export async function dueMessages(db: Db): Promise<readonly { readonly id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select due.id from ${sql.raw(presentWithDue('discord_direct_messages'))} cross join lateral (
      select d.id, d.due_at from discord_direct_messages d where d.guild_id = g.guild_id and d.due_at <= ${statementBegun}
      order by d.due_at limit ${messagesAtOnceMax}) due
    order by due.due_at limit ${messagesAtOnceMax}`.execute(db);
  return rows;
}

/** Messages before removals (rulings R5), and about payouts. */
export const directMessageJob = (deps: MessageDeps): JobDefinition<{ id: string }> => ({
  ...directMessages,
  atOnce: 4,
  failing: 'Direct messages could not be sent',
  run: async ({ id }) => {
    const message = await begin(deps.db, id);
    if (message === null) return;
    const outcome = (await isWanted(deps.db, message)) ? await send(deps, message) : { kind: 'done' as const };
    const messages = deps.db.updateTable('discordDirectMessages').where('id', '=', id).where('dueAt', 'is not', null);
    if (outcome === null && !message.isLast) return;
    if (outcome?.kind === 'limited' && !message.isLast) {
      // A limit may last for days: no longer than the message is tried at all.
      const dueAt = sql<Date>`least(${databaseNowPlus(outcome.retryAfterMs)}, ${message.lastAt}::timestamptz)`;
      await messages.set({ dueAt }).execute();
      return;
    }
    await messages.set({ dueAt: null, content: null, failure: failureOf(outcome) }).execute();
    // A removal may wait for it.
    await deps.jobs.send(dueWork, {});
  },
});

interface Message {
  readonly id: string;
  readonly guildId: string;
  readonly userId: string;
  /** null: it is about a removal. */
  readonly payout: number | null;
  readonly content: string;
  /** Until then it is tried, and then once more. */
  readonly lastAt: Date;
  readonly isLast: boolean;
}

/** Should this copy die now, it is due again after the pause. null: it is not due. */
async function begin(db: Db, id: string): Promise<Message | null> {
  const { rows } = await sql<Message>`
    with begun as (
      update discord_direct_messages d set due_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
      where id = ${id} and due_at <= clock_timestamp() and ${isSwitchedOn}
      returning id, guild_id, user_id, payout, content, case
        when payout is not null then told_at + ${payoutTriedMs} * interval '1 millisecond'
        else greatest(told_at + ${noticeTriedMs} * interval '1 millisecond', (select m.removal_due_at from discord_members m
          where m.guild_id = d.guild_id and m.user_id = d.user_id)) end as last_at)
    select *, last_at <= clock_timestamp() as is_last from begun`.execute(db);
  return rows[0] ?? null;
}

async function isWanted(db: Db, { guildId, userId, payout }: Message): Promise<boolean> {
  const member = await readCase(db, guildId, userId);
  if (member?.isInGuild !== true) return false;
  return payout === null ? member.roleState === 'grace' : member.payoutMessagesSince !== null;
}

/** null: Discord did not say whether it has sent it. */
async function send({ platform, log }: MessageDeps, { id, userId, content }: Message): Promise<PlatformOutcome | null> {
  try {
    // Not the job's own signal: a call to Discord is finished.
    return await platform.sendDirectMessage(userId, content, AbortSignal.timeout(callWithinMs), `message ${id}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error }, 'Discord did not take a direct message');
    return null;
  }
}

/** To whom Discord lets the bot not write, an admin could not help. */
function failureOf(outcome: PlatformOutcome | null): string | null {
  if (outcome?.kind === 'done') return null;
  return outcome?.kind === 'refused' && outcome.code !== 'other' ? 'direct-messages-closed' : 'direct-message-failed';
}
