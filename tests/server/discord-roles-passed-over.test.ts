import { afterEach, beforeEach, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
import { memberStories, roleStories } from '../support/role-stories.ts';
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
const { holding, rolesOf } = memberStories(
  () => world,
  () => roles,
);

it('a member who waits for a role while another one is chosen gets the new one, even if no sweep has checked them', async () => {
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

it('a server that cannot be saved is retried alone, and the others of the collection are swept once', async () => {
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

const failsOnce = async (): Promise<void> => {
  world.answer = () => ({ kind: 'refused', code: 'other', sentence: 'Discord refused it (code 1).' });
  await holding(1);
  roles.start();
  await until('it failed', async () => typeof (await rolesOf(gwen))[0]?.['failure'] === 'string');
  world.answer = () => undefined;
};

it('a change that Discord refused for a member is tried again an hour later', async () => {
  await failsOnce();
  const waits =
    'select round(extract(epoch from due_at - clock_timestamp()) / 60)::int as minutes from discord_member_roles';
  expect(await world.rows(waits)).toEqual([{ minutes: 60 }]);
  expect(await world.rows('select 1 from discord_guilds where roles_paused_until is not null')).toEqual([]);
  await world.elapse(60.1);
  await until('she has it', () => world.roleHolders.has(gwen));
  await until('it is done', async () => (await rolesOf(gwen))[0]?.['wanted'] === null);
  expect(await rolesOf(gwen)).toMatchObject([{ failure: null, is_waiting: false, is_given: true }]);
});

it('a change that Discord refused for a member is tried again with their next check', async () => {
  await failsOnce();
  await roles.checkNow(guildId, gwen, 'asked');
  await until('she has it', () => world.roleHolders.has(gwen));
});

it('a change that Discord only puts off is not hurried by a check', async () => {
  world.answer = () => ({ kind: 'limited', retryAfterMs: 600_000 });
  await holding(1);
  roles.start();
  const due = async () =>
    (await world.rows('select due_at, due_at > clock_timestamp() as waits from discord_member_roles'))[0];
  await until('the server waits', async () => {
    return (await world.rows('select 1 from discord_guilds where roles_paused_until > clock_timestamp()')).length === 1;
  });
  const before = await due();
  expect(before).toMatchObject({ waits: true });
  await roles.checkNow(guildId, gwen, 'asked');
  expect(await due()).toEqual(before);
});
