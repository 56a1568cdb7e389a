import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { DiscordCopy } from '../support/discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, linkedMember, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

let world: DiscordWorld;
let copy: DiscordCopy;
beforeEach(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
  await until('the commands are registered', () => discord().commands().length === 6);
  await knownGuild(world, discord().seeded.guildId);
});
afterEach(() => world.end());

const discord = () => world.sandbox.discord;
const say = (userId: string, name: string, options: Record<string, string> = {}) =>
  discord().command({ userId, channelId: discord().seeded.channels.welcome, name, options });
const setUp = () => {
  const { ownerId, roles, channels } = discord().seeded;
  return say(ownerId, 'setup', { role: roles.holder, channel: channels.verify });
};
const isOnline = async () => (await copy.call('GET', '/api/discord/status')).body.data;
/** `late`: log lines about late answers; `worse`: warnings and errors about anything. */
const logged = () => {
  const lines = world
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: unknown; msg: string });
  return {
    late: lines.filter(({ msg }) => msg.includes('too late')).length,
    worse: lines.filter(({ level }) => !['info', 'debug', 30, 20].includes(level as string | number)),
  };
};
const callback = 'POST /interactions/{interaction_id}/{interaction_token}/callback';

describe('Answers that come too late for Discord (three seconds, and fifteen minutes)', () => {
  test('when reaching Discord takes longer than it waits, nothing is done, it is logged once, and the next command works', async () => {
    discord().setInteractionDeadline({ milliseconds: 200 });
    await world.sandbox.faults.set('discord', { kind: 'slow', operation: callback, delayMs: 500, times: 1 });
    const asked = setUp();
    await until('it is too late', () => logged().late > 0);
    expect(asked).toMatchObject({ state: 'failed', answers: [] });
    discord().setInteractionDeadline({ milliseconds: 3_000 });
    expect(await world.rows('select 1 from discord_guild_configs')).toEqual([]);
    expect(await answerTo(setUp())).toContain('Set up');
    expect(logged()).toEqual({ late: 1, worse: [] });
    expect(await isOnline()).toMatchObject({ online: true, lastError: null });
  });

  test('when the answer is ready too late, it is logged once, the bot keeps its token, and the next command works', async () => {
    const { guildId, memberIds } = discord().seeded;
    const [gwen = ''] = memberIds;
    await answerTo(setUp());
    const { address } = world.sandbox.wallets.person('Granite Gwen');
    await linkedMember(world, { guildId, userId: gwen, wallet: address });
    discord().setInteractionTokenLife({ milliseconds: 100 });
    world.sandbox.faults.setLatency('sui', 400);
    const asked = say(gwen, 'why');
    await until('it is too late', () => logged().late > 0);
    expect(asked.answers).toMatchObject([{ isLoading: true }]);
    expect(discord().counters().codes).toMatchObject({ 50027: 1 });
    discord().setInteractionTokenLife({ milliseconds: 900_000 });
    world.sandbox.faults.setLatency('sui', 0);
    expect(await answerTo(say(gwen, 'why'))).toContain('3 rocks');
    expect(logged()).toEqual({ late: 1, worse: [] });
    // A call with the bot's own token: the 401 was only about the answer's token.
    expect(await answerTo(setUp())).toContain('Set up');
    expect(await isOnline()).toMatchObject({ online: true, lastError: null });
  });
});

describe('Commands', () => {
  test('that Discord refuses at first are registered soon after', async () => {
    const fresh = await startDiscordWorld();
    const operation = 'PUT /applications/{application_id}/commands';
    await fresh.sandbox.faults.set('discord', { kind: '500', operation, times: 4 });
    await fresh.activeCopy();
    await until('they are registered', () => fresh.sandbox.discord.commands().length === 6);
    await fresh.end();
  });
});
