import { describe, expect, test } from 'vitest';

import { discordCommandScene } from '../support/discord-command-scene.ts';
import { until } from '../support/until.ts';

const { world, copy, discord, setUp, panels } = discordCommandScene();

const editing = 'PATCH /channels/{channel_id}/messages/{message_id}';
const rename = (nftName: string) => {
  const { guildId, roles, channels } = discord().seeded;
  const nftContract = world().sandbox.facts.collectionType;
  const body = { guildId, roleId: roles.holder, channelId: channels.verify, nftContract, nftName };
  return copy().call('POST', '/api/discord/configure', body);
};
const panel = () => panels(discord().seeded.channels.verify)[0];
const says = (name: string) =>
  until(`the panel says ${name}`, () => panel()?.content.includes(`hold ${name}**`) === true);

describe('The verify panel', () => {
  test('says the name that an admin saves in the dashboard, in the same message with the same button', async () => {
    await setUp();
    const before = panel();
    expect(before?.content).toContain('hold Sui Rocks**');
    const { id, components } = structuredClone(before!);
    expect((await rename('Lava Lizards')).status).toBe(200);
    await says('Lava Lizards');
    expect(panel()).toMatchObject({ id, components });
  });

  test('is edited also while the bot is switched off', async () => {
    await setUp();
    await copy().call('POST', '/api/discord/shutdown');
    await rename('Lava Lizards');
    await says('Lava Lizards');
  });

  test('is edited at another try when Discord fails, and the save does not wait for it', async () => {
    await setUp();
    await world().sandbox.faults.set('discord', { kind: '500', operation: editing, times: 2 });
    expect(await rename('Lava Lizards')).toMatchObject({
      status: 200,
      body: { data: { config: { nftName: 'Lava Lizards' } } },
    });
    await says('Lava Lizards');
  });

  test.each([
    { kind: '500' } as const,
    // Longer than a timer: obeyed, it would be asked again and again without a pause.
    { kind: '429', retryAfterSeconds: 1e9 } as const,
  ])('keeps the name before when Discord answers %o again and again, with a line in the log', async (fault) => {
    await setUp();
    await world().sandbox.faults.set('discord', { ...fault, operation: editing });
    expect((await rename('Lava Lizards')).status).toBe(200);
    await until('it is given up', () => world().log().includes('keeps the previous name'));
    expect(panel()?.content).toContain('hold Sui Rocks**');
  });

  test('that somebody deletes is shown beside the server with the fix, and no more after /setup', async () => {
    const problems = async () => {
      const { guildId } = discord().seeded;
      const { body } = await copy().call('GET', '/api/discord/guilds');
      const guilds = body.data as { readonly id: string; readonly problems: readonly object[] }[];
      return guilds.find(({ id }) => id === guildId)?.problems;
    };
    const { verify } = discord().seeded.channels;
    await setUp();
    expect(await problems()).toEqual([]);
    discord().deleteMessage({ channelId: verify, messageId: panel()?.id ?? '' });
    const isShown = async () => (await problems())?.length === 1;
    await until('it is shown', isShown);
    expect(await problems()).toEqual([
      { code: 'panel-deleted', message: 'The verify panel was deleted.', fix: 'Run /setup again.' },
    ]);
    await setUp();
    expect(await problems()).toEqual([]);
  });

  test('is taken to be there while Discord does not say', async () => {
    await setUp();
    const { verify } = discord().seeded.channels;
    discord().deleteMessage({ channelId: verify, messageId: panel()?.id ?? '' });
    const reading = 'GET /channels/{channel_id}/messages/{message_id}';
    await world().sandbox.faults.set('discord', { kind: '500', operation: reading });
    const { status } = await copy().call('GET', '/api/discord/guilds');
    expect(status).toBe(200);
    await until('it was tried', () => world().log().includes('could not be checked whether the verify panel'));
    expect(await world().rows('select 1 from discord_guild_configs where panel_gone_at is not null')).toEqual([]);
  });

  test('that was deleted meanwhile is left alone', async () => {
    await setUp();
    const { channels } = discord().seeded;
    discord().deleteChannel({ channelId: channels.verify });
    expect((await rename('Lava Lizards')).status).toBe(200);
    await until('it was tried', () => world().log().includes('gone or out of reach'));
    expect(world().log()).not.toContain('waits for another try');
  });
});
