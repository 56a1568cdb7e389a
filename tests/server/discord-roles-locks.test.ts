import { sql, type Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/db/schema.ts';
import {
  beginChange,
  nextChange,
  requestRoleRemovals,
  resumeRoleChanges,
  cancelRoleChanges,
  requestRoleChange,
} from '../../src/discord/roles/member-roles.ts';
import { lockGuildConfig } from '../../src/discord/servers/guild-config-store.ts';
import { forgetRoles } from '../../src/discord/servers/guild-member-store.ts';
import { leaveGuild, saveGuild } from '../../src/discord/servers/guild-register.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { guildId, roleId, type RoleWorld, startRoleWorld, userOf } from '../support/role-world.ts';

/** Transactions that store role changes of a server at the same time wait for each other, never in a circle. */
let world: RoleWorld;
const { settle } = roleStories(() => world);
beforeEach(async () => void (world = await startRoleWorld(await testDatabase())));
afterEach(() => world.end());

const memberCount = 40;
const withinMs = 120_000;
const db = () => typedKysely(world.database.pool);
const everyNth = (step: number): readonly string[] =>
  Array.from({ length: memberCount / step }, (_none, index) => userOf(index * step));
/** Locks those members in one order, as before every decision. */
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

const described = {
  guildId,
  name: 'Rock Mountain',
  memberCount,
  channels: [],
  botPermissions: '268435456',
  botTopPosition: 5,
} as const;
const beginnable = () => nextChange(db(), guildId).then((change) => change && beginChange(db(), change, 60_000));

describe('Role changes of one server that are stored at the same time', () => {
  it(
    'end without a deadlock while some are requested, others cancelled, one is begun, and all are resumed',
    async () => {
      await world.server();
      await settle(memberCount);
      const change = { guildId, roleId, cause: 'sweep' } as const;
      for (let round = 0; round < 100; round += 1) {
        await world.rows('delete from discord_member_roles');
        // Stored in a different physical order than by member and by id.
        const waiting = Array.from({ length: memberCount }, (_none, index) => userOf((index * 7) % memberCount));
        await world.rows(
          `insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, due_at, failure)
           select $1, id, $2, 'grant-role', 'sweep', clock_timestamp(), 'Drag it.' from unnest($3::text[]) id`,
          [guildId, roleId, waiting],
        );
        await world.rows('update discord_guilds set roles_paused_until = clock_timestamp()');
        const ended = await Promise.allSettled([
          beginnable(),
          holding(everyNth(5), async (trx) => {
            await cancelRoleChanges(trx, guildId, [userOf(35), userOf(5)]);
            await requestRoleChange(trx, { ...change, wanted: 'remove-role', userIds: everyNth(5).toReversed() });
          }),
          holding([userOf(3), userOf(33), userOf(21)], async (trx) => {
            await requestRoleChange(trx, { ...change, wanted: 'remove-role', userIds: [userOf(33)] });
            await cancelRoleChanges(trx, guildId, [userOf(3), userOf(21)]);
          }),
          holding([userOf(2)], (trx) =>
            requestRoleRemovals(trx, {
              guildId,
              userId: userOf(2),
              hasRole: true,
              roleState: 'holder',
              guild: { roleId },
            }),
          ),
          beginnable(),
          resumeRoleChanges(db(), guildId),
        ]);
        expect(ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
      }
    },
    withinMs,
  );

  it(
    'end without a deadlock while the server loses its role, is configured and is left',
    async () => {
      await world.server();
      await settle(memberCount);
      const change = { guildId, roleId, wanted: 'grant-role', cause: 'sweep' } as const;
      for (let round = 0; round < 100; round += 1) {
        await world.rows('delete from discord_member_roles');
        await world.rows('update discord_members set has_role = true');
        const ended = await Promise.allSettled([
          db()
            .transaction()
            .execute(async (trx) => {
              await lockGuildConfig(trx, guildId);
              await saveGuild(trx, { ...described, roles: [] });
            }),
          holding(everyNth(4), (trx) => requestRoleChange(trx, { ...change, userIds: everyNth(4) })),
          holding(everyNth(5), (trx) => cancelRoleChanges(trx, guildId, everyNth(5))),
          db()
            .transaction()
            .execute(async (trx) => {
              await lockGuildConfig(trx, guildId);
              if (round % 2 === 0) await forgetRoles(trx, guildId);
              else await leaveGuild(trx, guildId);
            }),
          holding([userOf(2), userOf(20)], (trx) =>
            requestRoleChange(trx, { ...change, wanted: 'remove-role', userIds: [userOf(20), userOf(2)] }),
          ),
        ]);
        expect(ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
      }
    },
    withinMs,
  );
});
