import { describe, expect, test } from 'vitest';

import { discordCommandScene } from '../support/discord-command-scene.ts';
import { answerTo, knownGuild } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

const { world, copy, discord, memberId, say, setUp, panels, configOf, gwenAt, benAt } = discordCommandScene();

describe('/setup', () => {
  test('chooses role and channel, takes contract and name from the default NFT settings, and posts the panel', async () => {
    const { roles, channels, guildId } = discord().seeded;
    expect(await setUp()).toMatch(new RegExp(`Sui Rocks.*<@&${roles.holder}>.*<#${channels.verify}>`));
    expect(await configOf()).toMatchObject({
      role_id: roles.holder,
      channel_id: channels.verify,
      nft_contract: world().sandbox.facts.collectionType,
      nft_name: 'Sui Rocks',
      panel_channel_id: channels.verify,
      version: 1,
    });
    const [panel] = panels(channels.verify);
    expect(panel?.content).toContain('not a transaction');
    expect(JSON.stringify(panel?.components)).toContain('"label":"Verify"');
    expect((await world().audited()).at(-1)).toMatchObject({
      action: 'discord-server-set-up',
      actor: 'Olga Summit',
      before: null,
      after: {
        nftName: 'Sui Rocks',
        roleId: roles.holder,
        role: 'Rock Holder',
        channelId: channels.verify,
        channel: '#verify',
      },
    });
    const { body } = await copy().call('GET', '/api/discord/guilds');
    expect((body.data as { id: string }[]).find(({ id }) => id === guildId)).toMatchObject({ problems: [] });
  });

  test('the panel names no collection, so that another collection name leaves it unchanged', async () => {
    const { roles, channels, guildId } = discord().seeded;
    await setUp();
    const before = structuredClone(panels(channels.verify));
    expect(before[0]?.content).toContain('hold the NFTs of this server**');
    const nftContract = world().sandbox.facts.collectionType;
    const body = { guildId, roleId: roles.holder, channelId: channels.verify, nftContract, nftName: 'Lava Lizards' };
    expect((await copy().call('POST', '/api/discord/configure', body)).status).toBe(200);
    expect(panels(channels.verify)).toEqual(before);
  });

  test('a second /setup moves the panel', async () => {
    const { channels, roles } = discord().seeded;
    await setUp();
    await setUp(roles.holder, channels.welcome);
    expect(panels(channels.verify)).toEqual([]);
    expect(panels(channels.welcome)).toHaveLength(1);
    expect(await configOf()).toMatchObject({ channel_id: channels.welcome, version: 2 });
    // The role is unchanged, and is logged anyway.
    expect((await world().audited()).at(-1)).toMatchObject({ after: { role: 'Rock Holder', channel: '#welcome' } });
  });

  test('with another role says that members keep the previous one, as long as it exists', async () => {
    const { roles, guildId } = discord().seeded;
    await setUp();
    expect(await setUp()).not.toContain('Members keep');
    const { id: other } = discord().createRole({ guildId, name: 'Other holders', position: 1 });
    const known = async () => JSON.stringify((await knownGuild(world(), guildId))['roles']);
    await until('the bot knows of it', async () => (await known()).includes(other));
    expect(await setUp(other)).toContain(
      `Members keep <@&${roles.holder}>, but the bot no longer manages it. Remove it in Discord if need be.`,
    );
    discord().moveRole({ guildId, roleId: roles.holder, position: 1 });
    discord().deleteRole({ guildId, roleId: other });
    await until('the bot knows of it', async () => !(await known()).includes(other));
    expect(await setUp()).toMatch(/^Set up(?![^]*Members keep)/);
  });

  test('names the exact fix for every role that the bot cannot give, and changes nothing', async () => {
    const { roles, guildId } = discord().seeded;
    expect(await setUp(roles.moderator)).toMatch(/above or level.*drag the bot's role above.*Moderator/s);
    expect(await setUp(roles.bot)).toContain('nobody can give it');
    expect(await setUp(guildId)).toContain('every member has it');
    discord().setBotPermissions({ guildId, permissions: ['VIEW_CHANNEL', 'SEND_MESSAGES'] });
    await until('the new permissions are known', async () => {
      const { bot_permissions: bits } = await knownGuild(world(), guildId);
      return (BigInt(String(bits)) & (1n << 28n)) === 0n;
    });
    expect(await setUp()).toContain('switch on Manage Roles');
    expect(await configOf()).toBeUndefined();
    expect(panels(discord().seeded.channels.verify)).toEqual([]);
  });

  test('names the exact fix for a channel that the bot cannot see or post in', async () => {
    const { channels, roles } = discord().seeded;
    discord().setOverwrite({ channelId: channels.verify, targetId: roles.bot, deny: ['VIEW_CHANNEL'] });
    await until('the bot knows of it', async () => (await setUp()).includes('cannot see'));
    discord().setOverwrite({ channelId: channels.verify, targetId: roles.bot, deny: ['SEND_MESSAGES'] });
    await until('the bot knows of it', async () => (await setUp()).includes('cannot post'));
    expect(await setUp()).toContain("allow the bot's role to Send Messages");
    expect(await configOf()).toBeUndefined();
  });

  test('is for members who may manage the server, even if the server has given the command to everyone', async () => {
    const { roles, channels } = discord().seeded;
    const options = { role: roles.holder, channel: channels.verify };
    expect(() => say('setup', memberId(gwenAt), options)).toThrow();
    const setup = discord()
      .commands()
      .find(({ name }) => name === 'setup');
    setup!['default_member_permissions'] = null;
    expect(await answerTo(say('setup', memberId(gwenAt), options))).toContain('Only members with Manage Server');
    expect(await configOf()).toBeUndefined();
  });

  test('does not let members have the bot give a role that they may not give themselves', async () => {
    const { roles, channels, guildId, moderatorId } = discord().seeded;
    const top = { guildId, position: 9 };
    const helper = discord().createRole({ ...top, name: 'Helper', permissions: ['MANAGE_GUILD'] });
    const low = discord().createRole({ ...top, name: 'Low helper', permissions: ['MANAGE_GUILD', 'MANAGE_ROLES'] });
    discord().moveRole({ guildId, roleId: low.id, position: 1 });
    discord().giveRole({ guildId, userId: memberId(gwenAt), roleId: helper.id });
    discord().giveRole({ guildId, userId: memberId(benAt), roleId: low.id });
    const lowest = async () => ((await knownGuild(world(), guildId))['roles'] as { id: string }[]).at(-1)?.id;
    await until('the bot knows of it', async () => (await lowest()) === low.id);
    const options = { role: roles.holder, channel: channels.verify };
    for (const at of [gwenAt, benAt]) {
      expect(await answerTo(say('setup', memberId(at), options))).toContain(`cannot give <@&${roles.holder}> yourself`);
    }
    expect(await configOf()).toBeUndefined();
    // In Discord's events 'Manage Permissions' of a channel is the same bit, but it does not allow giving roles.
    discord().setOverwrite({ channelId: channels.welcome, targetId: helper.id, allow: ['MANAGE_ROLES'] });
    expect(await answerTo(say('setup', memberId(gwenAt), options))).toContain(
      `cannot give <@&${roles.holder}> yourself`,
    );
    expect(await configOf()).toBeUndefined();
    discord().setOverwrite({ channelId: channels.welcome, targetId: moderatorId, deny: ['MANAGE_ROLES'] });
    expect(await answerTo(say('setup', moderatorId, options))).toContain('Set up');
  });
});

describe('/verify and the panel', () => {
  test('the button of the panel gives each member their own link, seen by nobody else', async () => {
    await setUp();
    const [panel] = panels(discord().seeded.channels.verify);
    const pressed = discord().press({ userId: memberId(gwenAt), messageId: panel!.id, button: 'Verify' });
    expect(await answerTo(pressed)).toContain('http://localhost:3000/verify/');
    const [answer] = pressed.answers;
    expect(answer?.ephemeralFor).toBe(memberId(gwenAt));
    const url = /http:\/\/localhost:3000\/verify\/[\w-]{43}/.exec(JSON.stringify(answer?.components))?.[0] ?? '';
    const read = await copy().call('GET', `/api${new URL(url).pathname}`);
    expect(read).toMatchObject({
      status: 200,
      body: { data: { guildName: 'Rock Mountain', memberName: '@granite.gwen (Granite Gwen)' } },
    });
    // The panel stays as it was, for the others.
    expect(panels(discord().seeded.channels.verify)[0]?.content).toBe(panel?.content);
  });

  test('the link of someone who copied another member’s display name shows whose it is', async () => {
    await setUp();
    const { guildId } = discord().seeded;
    discord().updateMember({ guildId, userId: memberId(benAt), nick: 'Granite Gwen' });
    const asked = say('verify', memberId(benAt));
    await answerTo(asked);
    const link = /\/verify\/[\w-]{43}/.exec(JSON.stringify(asked.answers))?.[0] ?? '';
    const { body } = await copy().call('GET', `/api${link}`);
    expect(body.data).toMatchObject({ memberName: '@basalt.ben (Granite Gwen)' });
  });

  test('/verify gives a link even while there is no role to give, and says so', async () => {
    await setUp();
    const asked = () => answerTo(say('verify', memberId(gwenAt)));
    expect(await asked()).not.toContain('No role');
    const { guildId, roles } = discord().seeded;
    discord().deleteRole({ guildId, roleId: roles.holder });
    const said = 'No role can be given until someone with Manage Server chooses one with /setup';
    await until('the bot knows of it', async () => (await asked()).includes(said));
    expect(await asked()).toContain('works once, for you alone');
    await world().rows("update discord_guild_configs set role_id = ''");
    expect(await asked()).toContain(said);
  });

  test('/verify says who must do what before the server is set up', async () => {
    expect(await answerTo(say('verify', memberId(gwenAt)))).toContain('not set up yet');
  });
});
