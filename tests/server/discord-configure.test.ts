import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { DiscordCopy } from '../support/discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

let world: DiscordWorld;
let copy: DiscordCopy;
beforeEach(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
  await knownGuild(world, guildId());
});
afterEach(() => world.end());

const discord = () => world.sandbox.discord;
const guildId = (): string => discord().seeded.guildId;
const rocks = (): string => world.sandbox.facts.collectionType;
const lizards = (): string =>
  [...world.sandbox.world.state.collections.values()].find(({ key }) => key === 'lava-lizards')?.nftType ?? '';
const configure = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  copy.call(
    'POST',
    '/api/discord/configure',
    { guildId: guildId(), roleId: '', channelId: null, nftContract: rocks(), nftName: 'Sui Rocks', ...fields },
    headers,
  );
const configRow = async () =>
  (await world.rows('select * from discord_guild_configs where guild_id = $1', [guildId()]))[0];
const watched = async () =>
  (await world.rows("select tracked_collection_id as id from collection_watches where listener = 'discord'")).map(
    ({ id }) => id,
  );

describe('POST /api/discord/configure', () => {
  test('takes contract and name from the form, role and channel as given, and the role may be empty', async () => {
    const saved = await configure();
    expect(saved).toMatchObject({
      status: 200,
      body: { data: { id: guildId(), config: { roleId: '', nftContract: rocks(), nftName: 'Sui Rocks', version: 1 } } },
    });
    expect(saved.body.data).not.toHaveProperty('config.channelId');
    const { roles, channels } = discord().seeded;
    const again = await configure({
      roleId: roles.holder,
      channelId: channels.verify,
      nftName: 'Rocks',
      graceMinutes: 60,
    });
    expect(again.body.data).toMatchObject({
      config: { roleId: roles.holder, channelId: channels.verify, nftName: 'Rocks', graceMinutes: 60, version: 2 },
      problems: [],
    });
    // Omitted: unchanged.
    expect(
      (await configure({ roleId: roles.holder, channelId: channels.verify, nftName: 'Rocks' })).body.data,
    ).toMatchObject({
      config: { graceMinutes: 60, version: 2 },
    });
  });

  test('problems with role and channel do not block the save, and are shown beside the server', async () => {
    const { roles } = discord().seeded;
    const saved = await configure({ roleId: roles.moderator, channelId: '12345678901', nftName: 'Saved all the same' });
    expect(saved).toMatchObject({ status: 200, body: { data: { config: { nftName: 'Saved all the same' } } } });
    const { problems } = saved.body.data as { problems: { code: string; fix: string }[] };
    expect(problems.map(({ code }) => code)).toEqual(['role-too-high', 'channel-missing']);
    expect(problems.every(({ fix }) => fix !== '')).toBe(true);
  });

  test('is logged with before and after, unless the save changes nothing', async () => {
    await configure();
    await configure();
    await configure({ nftName: 'Rocks' });
    expect((await world.audited()).slice(1)).toEqual([
      {
        action: 'discord-server-configured',
        actor: 'chief',
        before: null,
        after: { nftContract: rocks(), nftName: 'Sui Rocks', roleId: '', channelId: null, graceMinutes: 0 },
      },
      {
        action: 'discord-server-configured',
        actor: 'chief',
        before: { nftName: 'Sui Rocks' },
        after: { nftName: 'Rocks' },
      },
    ]);
  });

  test('watches the collection’s activity, and another collection’s after a change of contract', async () => {
    await configure();
    await until('it is watched', async () => (await watched()).length === 1);
    const [first] = await watched();
    await configure({ nftContract: lizards(), nftName: 'Lava Lizards' });
    await until('the other one is watched', async () => {
      const [now] = await watched();
      return now !== undefined && now !== first;
    });
    const [second, ...others] = await watched();
    expect(others).toEqual([]);
    expect(await configRow()).toMatchObject({ nft_contract: lizards(), tracked_collection_id: second });
  });

  test('/setup watches the collection too, once the marketplace can be reached', async () => {
    await until('the commands are registered', () => discord().commands().length === 6);
    await world.sandbox.faults.set('market', { kind: '500' });
    const { ownerId, channels, roles } = discord().seeded;
    const options = { role: roles.holder, channel: channels.verify };
    const setUp = () => discord().command({ userId: ownerId, channelId: channels.welcome, name: 'setup', options });
    expect(await answerTo(setUp())).toContain('Set up');
    expect(await configRow()).toMatchObject({ nft_contract: rocks(), tracked_collection_id: null });
    await world.sandbox.faults.clear('market');
    await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp()');
    await until('it is watched', async () => (await watched()).length === 1);
    await world.rows('delete from discord_guild_configs');
    await world.rows('delete from collection_watches');
    expect(await answerTo(setUp())).toContain('Set up');
    await until('it is watched again', async () => (await watched()).length === 1);
  });

  test('when two admins save at once, the second sees both versions, and no input is lost', async () => {
    await configure();
    await configure({ nftName: 'By the first' }, { 'if-match': '"1"' });
    const stale = await configure({ nftName: 'By the second' }, { 'if-match': '"1"' });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        code: 'stale',
        current: { config: { nftName: 'By the first', version: 2 } },
        yours: { nftName: 'By the second', nftContract: rocks() },
      },
    });
    expect(await configRow()).toMatchObject({ nft_name: 'By the first', version: 2 });
    const first = await configure({}, { 'if-match': 'soon' });
    expect(first).toMatchObject({ status: 400, body: { code: 'invalid-if-match' } });
  });

  test.each([
    ['text that is not a type', 'a rock', 'nft-contract-malformed'],
    ['a type that does not exist', `0x${'d'.repeat(64)}::nowhere::Nft`, 'nft-contract-missing'],
    ['a coin', '0x2::sui::SUI', 'not-an-nft'],
  ])('refuses %s with a sentence, and saves nothing', async (_what, nftContract, code) => {
    const refused = await configure({ nftContract });
    expect(refused).toMatchObject({ status: 400, body: { code } });
    expect(refused.body.message).toMatch(/0x12345::module::Type/);
    expect(await configRow()).toBeUndefined();
  });

  test.each([
    ['an empty contract', { nftContract: ' ' }],
    ['an empty name', { nftName: ' ' }],
    ['a name without visible characters', { nftName: '\u200b\u202e' }],
    ['a name that is too long', { nftName: 'x'.repeat(101) }],
    ['a role that is not an id', { roleId: '@everyone' }],
    ['a negative grace', { graceMinutes: -1 }],
    ['a server that is not an id', { guildId: 'rock' }],
    ['an unknown field', { surprise: true }],
  ])('refuses %s', async (_what, fields) => {
    const refused = await configure(fields);
    expect(refused.status).toBe(400);
    expect(await configRow()).toBeUndefined();
  });

  test('an outage of the chain is answered with 503 and saves nothing; a collection checked before can still be renamed', async () => {
    await world.sandbox.faults.set('sui', { kind: '500' });
    const refused = await configure();
    expect(refused).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('The Sui full node does not') },
    });
    expect(await configRow()).toBeUndefined();
    await world.sandbox.faults.clear('sui');
    await world.sandbox.faults.set('market', { kind: '500' });
    // The marketplace only adds a name and a picture: the chain says whether the type exists.
    expect((await configure({ nftContract: lizards() })).status).toBe(200);
    await world.sandbox.faults.clear('market');
    await configure();
    await world.sandbox.faults.set('sui', { kind: '500' });
    expect((await configure({ nftName: 'Renamed' })).status).toBe(200);
    expect((await configure({ nftContract: lizards() })).status).toBe(503);
    expect(await configRow()).toMatchObject({ nft_contract: rocks(), nft_name: 'Renamed' });
  });

  test('a server that the bot is not in is answered with 404 and what to do', async () => {
    const refused = await configure({ guildId: '99999999999' });
    expect(refused).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(refused.body.message).toContain('Invite');
  });
});

describe('GET /api/discord/invite-url', () => {
  test('names the bot and the link with exactly the permissions it needs; offline it is a 409', async () => {
    const { discordBotUsername: username, discordBotId: id } = world.sandbox.facts;
    const permissions = (1 << 10) + (1 << 11) + (1 << 14) + (1 << 28);
    expect(await copy.call('GET', '/api/discord/invite-url')).toMatchObject({
      status: 200,
      body: {
        data: {
          username,
          id,
          invite_url: `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot+applications.commands&permissions=${permissions}`,
        },
      },
    });
    await copy.call('POST', '/api/discord/shutdown');
    expect(await copy.call('GET', '/api/discord/invite-url')).toMatchObject({
      status: 409,
      body: { code: 'bot-offline' },
    });
  });
});
