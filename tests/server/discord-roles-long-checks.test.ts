import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import type { RolePlatform } from '../../src/discord/ports.ts';
import { checkMember, type MemberCheck } from '../../src/discord/roles/member-check.ts';
import { roleChangeJob } from '../../src/discord/roles/give-and-take-roles.ts';
import type { RolesDeps } from '../../src/discord/roles/role-jobs.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { createLogger } from '../../src/process/logger.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories, roleStories } from '../support/role-stories.ts';
import { guildId, roleId, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** A public node answers three calls a second: some hundred kiosks take minutes. */
let world: RoleWorld;
const gwen = userOf(1);
const stories = memberStories(
  () => world,
  () => world.copy(),
);
const { settle } = roleStories(() => world);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  await world.server();
});
afterEach(() => world.end());

/** Reading Gwen's wallet takes until the test calls `goOn`; `begun` counts how often it started. */
const slowReading = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = { begun: 0, goOn: resolve };
  const ownership: RolesDeps['ownership'] = {
    ...world.holdings.ownership,
    readWallet: async (nftType, wallet, stop) => {
      if (wallet === walletOf(1)) {
        read.begun += 1;
        await promise;
      }
      return world.holdings.ownership.readWallet(nftType, wallet, stop);
    },
  };
  return { read, ownership };
};

it('a check that takes long is not started a second time by any copy', async () => {
  const { read, ownership } = slowReading();
  await stories.holding(1);
  world.copy({ ownership }).start();
  await until('the check is running', () => read.begun > 0);
  // Bob is due later than Gwen: a copy that finds Bob due finds Gwen first.
  await stories.holding(2);
  world.copy({ ownership }).start();
  await until('Bob has the role', () => world.roleHolders.has(userOf(2)));
  expect(read.begun).toBe(1);
  read.goOn();
  await until('Gwen has it too', () => world.roleHolders.has(gwen));
});

describe('A role whose holder must be checked before it is removed', () => {
  const platform: RolePlatform = {
    grantRole: async () => ({ kind: 'done' }),
    removeRole: async ({ userId }) => {
      world.roleHolders.delete(userId);
      return { kind: 'done' };
    },
    sendDirectMessage: async () => ({ kind: 'done' }),
  };
  const doDue = async (check: MemberCheck): Promise<void> => {
    const job = roleChangeJob({
      db: typedKysely(world.database.pool),
      platform,
      check,
      audit: auditTrail,
      log: createLogger('silent'),
    });
    await job.run({ guildId }, new AbortController().signal);
  };
  const checkWith =
    (ownership: RolesDeps['ownership']): MemberCheck =>
    (member, stop) =>
      checkMember({ db: typedKysely(world.database.pool), ownership, clock: systemClock }, member, stop);
  /** Two checks found nothing, and the removal waits; the last one is five minutes old. */
  const leaving = async (): Promise<void> => {
    await settle(1, guildId, 1);
    world.roleHolders.add(gwen);
    world.holdings.set(walletOf(1), 0);
    await world.rows(`
      update discord_members set role_state = 'grace', answer = 'does-not-hold',
        first_no_at = clock_timestamp() - interval '20 minutes', second_no_at = clock_timestamp() - interval '6 minutes',
        removal_due_at = clock_timestamp() - interval '6 minutes', answered_at = clock_timestamp() - interval '5 minutes'`);
    await world.rows(
      `insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, due_at)
       values ($1, $2, $3, 'remove-role', 'not-holding', clock_timestamp())`,
      [guildId, gwen, roleId],
    );
  };

  it('is removed after that check, even if it took longer than a check normally counts', async () => {
    await leaving();
    const check = checkWith(world.holdings.ownership);
    await doDue(async (member, stop) => {
      const checked = await check(member, stop);
      await world.rows("update discord_members set answered_at = answered_at - interval '2 minutes'");
      return checked;
    });
    expect(world.roleHolders.has(gwen)).toBe(false);
  });

  it('stays while the data that was read is older than the check', async () => {
    await leaving();
    const minutesAgo = new Date(Date.now() - 2 * 60_000);
    const check = checkWith({
      ...world.holdings.ownership,
      readWallet: async () => ({ kind: 'does-not-hold', kioskCount: 300, asOf: minutesAgo }),
    });
    await doDue(check);
    const waiting = 'select due_at > clock_timestamp() as waits from discord_member_roles';
    expect(await world.rows(waiting)).toEqual([{ waits: true }]);
    expect(world.roleHolders.has(gwen)).toBe(true);
  });

  it('has its holder checked by one copy, however long that takes', async () => {
    await leaving();
    const { read, ownership } = slowReading();
    world.copy({ ownership }).start();
    await until('the check is running', () => read.begun > 0);
    await settle(1, guildId, 2);
    await world.rows(
      `insert into discord_direct_messages (guild_id, user_id, content, due_at) values ($1, $2, 'Hello', clock_timestamp())`,
      [guildId, userOf(2)],
    );
    world.copy({ ownership }).start();
    await until('what comes after it is over', async () => {
      return (await world.rows('select 1 from discord_direct_messages where due_at is null')).length === 1;
    });
    expect(read.begun).toBe(1);
    read.goOn();
    await until('she has it no more', () => !world.roleHolders.has(gwen));
  });
});
