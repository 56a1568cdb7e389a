import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { DiscordCopy } from '../support/discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, startDiscordWorld } from '../support/discord-world.ts';
import { elapseDiscord } from '../support/elapse-discord.ts';
import { until } from '../support/until.ts';
import { verifyPerson } from '../support/verify-for-real.ts';

let world: DiscordWorld;
let copy: DiscordCopy;
beforeAll(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
  await until('the commands are registered', () => discord().commands().length === 6);
  await knownGuild(world, discord().seeded.guildId);
});
afterAll(() => world.end());

const discord = () => world.sandbox.discord;
const say = (userId: string, name: string, options: Record<string, string> = {}) =>
  discord().command({ userId, channelId: discord().seeded.channels.verify, name, options });

/** The checks after a trade, 10, 30 and 120 s after one another, end before a role is removed: whether they are still running. */
const isJustTraded = async (userId: string): Promise<boolean> => {
  const asked = `select 1 from discord_members m where user_id = $1 and check_cause like 'traded%'
    and has_role is not null`;
  return (await world.database.pool.query(asked, [userId])).rowCount === 1;
};

/** Rulings R5: a direct message before the role ends; members who accept none read it in /why. */
describe('A member who accepts no direct messages', () => {
  test('still loses the role; Statistics shows no failure because of it, and /why says that no message arrived', async () => {
    const { guildId, ownerId, roles, channels, memberIds } = discord().seeded;
    const pete = memberIds[5] ?? '';
    const guild = `/api/discord/guilds/${guildId}`;
    const hasRole = () => discord().membersWithRole({ guildId, roleId: roles.holder }).includes(pete);
    await answerTo(say(ownerId, 'setup', { role: roles.holder, channel: channels.verify }));
    await verifyPerson(world.sandbox, copy, { userId: pete, channelId: channels.verify }, 'Pumice Pete');
    await until('the role is given', hasRole);

    discord().setDms({ userId: pete, isClosed: true });
    const [held] = world.sandbox.wallets.holdings('Pumice Pete');
    world.sandbox.wallets.sell({ nftId: held?.nft.id ?? '', to: 'Olga Summit' });
    // It may join the check of the verification, which began before the sale.
    await until('the first check finds nothing', async () => {
      const { body } = await copy.call('POST', `${guild}/members/${pete}/resolve`);
      return (body.data as { roleState: string }).roleState === 'doubt';
    });
    expect(hasRole()).toBe(true);
    await elapseDiscord(world.database.pool, 10.1);
    await until('the role is taken', async () => {
      if (await isJustTraded(pete)) await elapseDiscord(world.database.pool, 0.5);
      return !hasRole();
    });

    expect(discord().counters().codes).toMatchObject({ 50007: 1 });
    expect(discord().directMessages(pete)).toEqual([]);
    await until('the queue is empty', async () => {
      const { body } = await copy.call('GET', `${guild}/statistics`);
      return (body.data as { pendingActionCount: number }).pendingActionCount === 0;
    });
    const { body } = await copy.call('GET', `${guild}/statistics`);
    expect(body.data).toMatchObject({ failedActions: [], pendingRemovalCount: 0, roleHolderCount: 0 });
    const text = await answerTo(say(pete, 'why'));
    expect(text).toContain('no rocks found');
    expect(text).toContain('did not reach you');
  });
});
