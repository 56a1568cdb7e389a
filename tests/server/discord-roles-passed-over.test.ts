import { afterEach, beforeEach, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

let world: RoleWorld;
let roles: RoleCopy;
const gwen = userOf(1);
const otherRoleId = '700000000000000003';
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

it('whoever waits for a role while another one is chosen gets that one, also when no sweep has seen them', async () => {
  world.holdings.set(walletOf(1), 1);
  await world.link(roles, gwen, [walletOf(1)]);
  world.answer = () => ({ kind: 'limited', retryAfterMs: 1_000 });
  roles.start();
  await until('her grant waits for Discord', async () => {
    const waiting = 'select 1 from discord_member_roles where due_at > clock_timestamp()';
    return (await world.rows(waiting)).length === 1;
  });
  const isSwept = "sweep_due_at = clock_timestamp() + interval '1 hour'";
  await world.rows(`update discord_guild_configs set role_id = $1, ${isSwept} where guild_id = $2`, [
    otherRoleId,
    guildId,
  ]);
  world.answer = () => undefined;
  await until('she has the other role', () => world.done.some(({ roleId }) => roleId === otherRoleId));
  expect(world.done.map(({ kind, roleId }) => [kind, roleId])).toEqual([['grant', otherRoleId]]);
});

it('a server that cannot be written is tried again by itself, and the others of the collection are swept once', async () => {
  const { settle, sweepNow, lastSweep } = roleStories(() => world);
  const others = ['700000000000000008', '700000000000000009'];
  for (const [index, other] of others.entries()) {
    await world.server({ guildId: other });
    await settle(2, other, 100 * (index + 1));
  }
  await settle(2);
  await world.rows(`create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$`);
  await world.rows(`create trigger refused before update of last_sweep on discord_guild_configs
    for each row when (new.guild_id = '${others[0]}') execute function refuse()`);
  await sweepNow();
  roles.start();
  await until('the one behind it is swept', async () => (await lastSweep(others[1])) !== null);
  await world.quiet();
  const pauses = `select guild_id, extract(epoch from sweep_due_at - last_sweep_at)::int as pause from discord_guild_configs order by guild_id`;
  expect((await world.rows(pauses)).map(({ pause }) => pause)).toEqual([3_600, null, 3_600]);
});
