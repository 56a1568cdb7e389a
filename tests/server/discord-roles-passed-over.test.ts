import { afterEach, beforeEach, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
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
    const waiting = "select 1 from discord_actions where state = 'pending' and due_at > clock_timestamp()";
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
