import { sql, type Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/db/schema.ts';
import { createAuditTrail } from '../../src/audit/audit-log.ts';
import { beginAction, type BegunAction, dropPending, enqueueRoleChange } from '../../src/discord/roles/action-queue.ts';
import { holdGuild } from '../../src/discord/servers/guild-config-store.ts';
import { forgetRoles } from '../../src/discord/servers/guild-member-store.ts';
import { leaveGuild, saveGuild } from '../../src/discord/servers/guild-register.ts';
import { resumeRoleChanges, recordOutcome } from '../../src/discord/roles/record-outcome.ts';
import type { PlatformOutcome } from '../../src/discord/ports.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { guildId, roleId, type RoleWorld, startRoleWorld, userOf } from '../support/role-world.ts';

/** Whoever writes down role changes of a server at the same time waits for each other, never in a circle. */
let world: RoleWorld;
const { settle } = roleStories(() => world);
beforeEach(async () => void (world = await startRoleWorld(await testDatabase())));
afterEach(() => world.end());

const memberCount = 40;
const withinMs = 120_000;
const db = () => typedKysely(world.database.pool);
const everyNth = (step: number): readonly string[] =>
  Array.from({ length: memberCount / step }, (_none, index) => userOf(index * step));
const tooHigh: PlatformOutcome = {
  kind: 'refused',
  code: 'role-too-high',
  sentence: 'Drag the role of the bot above it.',
};

/** Those members are held, in one order, as before every decision. */
const holding = (userIds: readonly string[], work: (trx: Transaction<Database>) => Promise<void>) =>
  db()
    .transaction()
    .execute(async (trx) => {
      await sql`
        select 1 from discord_members where user_id = any(${[...userIds]}) order by user_id for no key update`.execute(
        trx,
      );
      await work(trx);
    });

/** One role change is at Discord for each of these, in the order of `userIds`, and one more waits for everybody. */
const queue = async (userIds: readonly string[]): Promise<readonly BegunAction[]> => {
  await world.rows('delete from discord_actions');
  const rows = await world.rows(
    `insert into discord_actions (guild_id, user_id, kind, role_id, cause, state, attempts, due_at)
     select $1, id, 'grant-role', $2, 'sweep', 'doing', 1, clock_timestamp() + interval '1 minute' from unnest($3::text[]) id
     returning id, user_id`,
    [guildId, roleId, userIds],
  );
  // Physically in another order than by member and by id.
  const waiting = Array.from({ length: memberCount }, (_none, index) => userOf((index * 7) % memberCount));
  await world.rows(
    `insert into discord_actions (guild_id, user_id, kind, role_id, cause, failure_code, due_at)
     select $1, id, 'grant-role', $2, 'sweep', 'server-refuses', clock_timestamp() + interval '1 minute'
     from unnest($3::text[]) id`,
    [guildId, roleId, waiting],
  );
  const kept = { guildId, kind: 'grant-role', roleId, content: null, cause: 'sweep', attempts: 1 } as const;
  return rows.map((row) => ({ ...kept, id: String(row['id']), userId: String(row['user_id']) }));
};
const described = {
  guildId,
  name: 'Rock Mountain',
  ownerId: null,
  memberCount,
  channels: [],
  botPermissions: '268435456',
  botTopPosition: 5,
} as const;
const settling = (action: BegunAction | undefined, outcome: PlatformOutcome): Promise<void> =>
  recordOutcome({ db: db(), audit: createAuditTrail() }, action!, outcome);

describe('Role changes of one server that are written down at the same time', () => {
  it(
    'end without a deadlock: one done, one refused, while others queue, drop, begin and resume',
    async () => {
      await world.server();
      await settle(memberCount);
      const change = { guildId, roleId, cause: 'sweep' } as const;
      for (let round = 0; round < 100; round += 1) {
        const [done, refused, alsoRefused] = await queue([userOf(1), userOf(2), userOf(4)]);
        const ended = await Promise.allSettled([
          settling(done, { kind: 'done' }),
          settling(refused, tooHigh),
          holding(everyNth(5), async (trx) => {
            await dropPending(trx, guildId, [userOf(35), userOf(5)], ['grant-role'], 'holds again');
            await enqueueRoleChange(trx, { ...change, kind: 'remove-role', userIds: everyNth(5).toReversed() });
          }),
          holding([userOf(3), userOf(33), userOf(21)], async (trx) => {
            await enqueueRoleChange(trx, { ...change, kind: 'remove-role', userIds: [userOf(33)] });
            await dropPending(trx, guildId, [userOf(3), userOf(21)], ['grant-role'], 'holds again');
          }),
          settling(alsoRefused, tooHigh),
          beginAction(db(), { guildId, kind: 'role-changes' }),
          db()
            .transaction()
            .execute((trx) => resumeRoleChanges(trx, guildId)),
        ]);
        expect(ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
      }
    },
    withinMs,
  );

  it(
    'and so do a server that loses its role, is configured and left, and members whose role changes are queued',
    async () => {
      await world.server();
      await settle(memberCount);
      const change = { guildId, roleId, kind: 'grant-role', cause: 'sweep' } as const;
      for (let round = 0; round < 100; round += 1) {
        await world.rows('delete from discord_actions');
        await world.rows('update discord_members set has_role = true');
        const ended = await Promise.allSettled([
          db()
            .transaction()
            .execute(async (trx) => {
              await holdGuild(trx, guildId);
              await saveGuild(trx, { ...described, roles: [] });
            }),
          holding(everyNth(4), (trx) => enqueueRoleChange(trx, { ...change, userIds: everyNth(4) })),
          holding(everyNth(5), (trx) => dropPending(trx, guildId, everyNth(5), ['grant-role'], 'holds again')),
          db()
            .transaction()
            .execute(async (trx) => {
              await holdGuild(trx, guildId);
              if (round % 2 === 0) await forgetRoles(trx, guildId);
              else await leaveGuild(trx, guildId);
            }),
          holding([userOf(2), userOf(20)], (trx) =>
            enqueueRoleChange(trx, { ...change, kind: 'remove-role', userIds: [userOf(20), userOf(2)] }),
          ),
        ]);
        expect(ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
      }
    },
    withinMs,
  );
});
