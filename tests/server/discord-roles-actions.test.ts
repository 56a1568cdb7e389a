import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Unavailable } from '../../src/shared/failure.ts';
import { testDatabase } from '../support/database.ts';
import { memberStories } from '../support/role-stories.ts';
import { guildId, type RoleCopy, type RoleWorld, startRoleWorld, userOf, walletOf } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** Role changes in Discord: each member's in order, and a refusal holds up nobody else (rulings R5). */
let world: RoleWorld;
let roles: RoleCopy;
const [gwen, hugo] = [userOf(1), userOf(2)];
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  roles = world.copy();
  await world.server();
});
afterEach(() => world.end());

const { holding, hold, rolesOf } = memberStories(
  () => world,
  () => roles,
);
const tooHigh = {
  kind: 'refused',
  code: 'missing-permission',
  sentence: 'Drag the role of the bot above it.',
} as const;

describe('A role change that Discord refuses', () => {
  it('fails once with the fix; the others of the server wait, and all are made when its roles change', async () => {
    let tries = 0;
    world.answer = () => {
      tries += 1;
      return tooHigh;
    };
    // Grants that follow the refusal wait too.
    const allWait = async () => (await world.rows('select 1 from discord_member_roles')).length === 3;
    world.pace = () => until('all are to be given it', allWait);
    await holding(1, 2, 3);
    roles.start();
    const failed = () => world.rows('select user_id from discord_member_roles where failure is not null');
    await until('one is refused', async () => (await failed()).length === 1);
    const [{ user_id: first } = {}] = await failed();
    const waiting = [gwen, hugo].find((userId) => userId !== first) ?? '';
    const said = async (userId: string) => (await roles.explain(guildId, userId))?.sentences.join(' ');
    expect(await said(String(first))).toContain(tooHigh.sentence);
    expect(await said(String(first))).not.toContain('on its way');
    expect(await said(waiting)).toContain(tooHigh.sentence);
    expect(await said(waiting)).not.toContain('on its way');
    await world.elapse(4.5);
    await roles.checkNow(guildId, waiting, 'asked');
    expect(tries).toBe(1);
    await world.elapse(1);
    await until('another one is tried', () => tries === 2);
    expect(await failed()).toHaveLength(1);
    world.answer = () => undefined;
    await roles.guildChanged(guildId);
    await until('all have it', () => world.roleHolders.size === 3);
    await until('no change is pending any more', async () => {
      return (await world.rows('select 1 from discord_member_roles where wanted is not null')).length === 0;
    });
  });

  it('does not hold up other servers', async () => {
    const other = await world.server({ guildId: '700000000000000009', roleId: '700000000000000008' });
    world.answer = ({ roleId }) => (roleId === '700000000000000008' ? undefined : tooHigh);
    await holding(1);
    world.holdings.set(walletOf(2), 1);
    await world.link(roles, hugo, [walletOf(2)], other);
    roles.start();
    await until('the other has it', () => world.roleHolders.has(hugo));
    await until('this one is recorded', async () => (await rolesOf(gwen))[0]?.['failure'] === tooHigh.sentence);
  });

  it('a member whom Discord does not find in the server is left alone until they are back, then checked at once', async () => {
    world.answer = () => ({ kind: 'refused', code: 'unknown-member', sentence: 'The member has left the server.' });
    await holding(1);
    roles.start();
    await until('she is known to be gone', async () => (await world.member(gwen))['is_in_guild'] === false);
    expect(await rolesOf(gwen)).toEqual([]);
    world.answer = () => undefined;
    await roles.memberJoined(guildId, gwen, 'Gwen');
    await until('she has it', () => world.roleHolders.has(gwen), 5_000);
  });

  it.each([
    ['direct-messages-closed', 'direct-messages-closed'],
    ['missing-permission', 'direct-message-failed'],
    ['other', 'direct-message-failed'],
  ] as const)('a direct message refused as %s does not hold up the removal', async (code, failure) => {
    await hold(1);
    world.answer = ({ kind }) => (kind === 'message' ? { kind: 'refused', code, sentence: 'Closed.' } : undefined);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    await until('the role is gone', () => !world.roleHolders.has(gwen));
    expect(await world.rows('select failure from discord_direct_messages')).toEqual([{ failure }]);
  });

  it('keeps the server paused when another member already has the role: Discord was not asked', async () => {
    await holding(1, 2);
    for (const userId of [gwen, hugo]) await roles.checkNow(guildId, userId, 'verified');
    await world.rows("update discord_guilds set roles_paused_until = clock_timestamp() - interval '1 minute'");
    await world.rows("update discord_member_roles set due_at = due_at + interval '1 hour' where user_id = $1", [hugo]);
    await roles.memberRoleSeen(guildId, gwen, true);
    roles.start();
    await until('hers is over', async () => (await rolesOf(gwen)).length === 0);
    await roles.stop();
    expect(await world.rows('select 1 from discord_guilds where roles_paused_until is null')).toEqual([]);
    expect(world.done).toEqual([]);
  });

  it('an outage or a limit of Discord only delays the change', async () => {
    let calls = 0;
    world.answer = () => {
      calls += 1;
      if (calls === 1) return new Unavailable('upstream-error', 'Discord reports an error of its own');
      return calls === 2 ? { kind: 'limited', retryAfterMs: 500 } : undefined;
    };
    await holding(1);
    roles.start();
    await until('it was tried', () => calls === 1);
    const isWaiting = async () =>
      (await world.rows('select 1 from discord_guilds where roles_unanswered_since is not null')).length === 1;
    await until('it is to be tried again', isWaiting);
    await world.elapse(0.5);
    await until('she has it', () => world.roleHolders.has(gwen));
    await until('it is over', async () => (await rolesOf(gwen))[0]?.['wanted'] === null);
    expect(await rolesOf(gwen)).toMatchObject([{ failure: null, is_given: true }]);
  });

  it('that waits because Discord does not answer is explained to the member, until it is done', async () => {
    world.answer = () => new Unavailable('upstream-error', 'Discord reports an error of its own');
    await holding(1);
    roles.start();
    const sentences = async () => (await roles.explain(guildId, gwen))?.sentences.join(' ');
    await until('it says so', async () => (await sentences())?.includes('Discord does not answer right now') === true);
    world.answer = () => undefined;
    await world.elapse(0.5);
    await until('she has it', () => world.roleHolders.has(gwen));
    await until('it is stored', async () => (await rolesOf(gwen))[0]?.['wanted'] === null);
    expect(await sentences()).not.toContain('Discord does not answer');
  });

  it('that waits because the bot is shut down is not called on its way', async () => {
    await world.rows("update discord_service set wanted = 'inactive'");
    await holding(1);
    const explained = await roles.checkNow(guildId, gwen, 'verified');
    expect(explained).toMatchObject({ isBotOff: true, answer: 'holds' });
    expect(explained?.sentences.at(-1)).toBe('The bot is shut down: the role comes when it runs again.');
    await world.rows("update discord_service set wanted = 'active'");
    expect((await roles.explain(guildId, gwen))?.sentences.at(-1)).toBe('The role is on its way.');
  });

  it('a copy that dies in the middle of a role change leaves it to another copy', async () => {
    await holding(1);
    const dying = world.copy({
      platform: {
        grantRole: () => new Promise(() => {}),
        removeRole: () => new Promise(() => {}),
        sendDirectMessage: () => new Promise(() => {}),
      },
    });
    dying.start();
    await until('it is at work', async () => (await rolesOf(gwen))[0]?.['is_given'] === true);
    const stopping = dying.stop();
    await world.elapse(0.5);
    roles.start();
    await until('another one gives the role', () => world.roleHolders.has(gwen));
    await stopping;
    expect(world.done).toHaveLength(1);
  });

  it('a member who is found to hold again during the removal gets the role back', async () => {
    await hold(1);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    const { promise, resolve } = Promise.withResolvers<void>();
    let isRemoving = false;
    const slow = world.copy({
      platform: {
        grantRole: async () => ({ kind: 'done' }),
        sendDirectMessage: async () => ({ kind: 'done' }),
        removeRole: async () => {
          isRemoving = true;
          await promise;
          return { kind: 'done' };
        },
      },
    });
    await roles.stop();
    await world.elapse(10.1);
    slow.start();
    await until('it is being removed', () => isRemoving);
    world.holdings.set(walletOf(1), 1);
    expect(await slow.checkNow(guildId, gwen, 'bought')).toMatchObject({ roleState: 'holder' });
    resolve();
    await until('it is given again', async () => (await world.member(gwen))['has_role'] === true);
  });
});

describe('The log of changes', () => {
  const entries = () => world.rows('select action, subject_id, before, after from audit_entries order by id');

  it('says that a role was given or removed once Discord has done it, and why', async () => {
    world.answer = () => tooHigh;
    await holding(1);
    roles.start();
    await until('it is refused', async () => typeof (await rolesOf(gwen))[0]?.['failure'] === 'string');
    expect(await entries()).toEqual([]);
    world.answer = () => undefined;
    await roles.guildChanged(guildId);
    await until('it is given', async () => (await world.member(gwen))['has_role'] === true);
    const subject = { subject_id: `${guildId}/${gwen}`, before: null };
    expect(await entries()).toEqual([{ action: 'discord-role-given', ...subject, after: { cause: 'verified' } }]);
    world.holdings.set(walletOf(1), 0);
    await roles.checkNow(guildId, gwen, 'sold');
    await world.elapse(10.1);
    await until('it is taken', async () => (await world.member(gwen))['role_state'] === 'none');
    expect((await entries()).slice(1)).toMatchObject([
      { action: 'discord-role-ending', ...subject, after: { endsAt: expect.any(String) } },
      { action: 'discord-role-taken', ...subject, after: { cause: 'not-holding' } },
    ]);
  });

  it('says nothing about a role that was already there or gone, nor about a member who has deleted their data', async () => {
    await holding(1);
    await roles.checkNow(guildId, gwen, 'verified');
    await roles.memberRoleSeen(guildId, gwen, true);
    roles.start();
    await until('it is over', async () => (await rolesOf(gwen)).length === 0);
    expect(world.done).toEqual([]);
    expect(await entries()).toEqual([]);
    await roles.deleteMember(guildId, gwen, { kind: 'discord', userId: gwen, name: 'Gwen' });
    await until('it is taken', () => world.done.length === 1);
    await until('nothing is left', async () => (await rolesOf(gwen)).length === 0);
    expect((await entries()).map(({ action }) => action)).toEqual(['discord-member-deleted']);
  });
});
