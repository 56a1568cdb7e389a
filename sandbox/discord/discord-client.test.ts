import { Client, Events, GatewayIntentBits, MessageFlags, REST, Routes } from 'discord.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.discord.reset());

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
});

const api = (): string => `${sandbox.urls.discord}/api`;
const newRest = () => new REST({ api: api() }).setToken(sandbox.facts.discordBotToken);
const usual = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers];

function newClient(intents: readonly GatewayIntentBits[] = usual): Client {
  const client = new Client({ intents, rest: { api: api() } });
  client.on(Events.Error, () => {});
  clients.push(client);
  return client;
}

async function readyClient(intents?: readonly GatewayIntentBits[]): Promise<Client<true>> {
  const client = newClient(intents);
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(sandbox.facts.discordBotToken);
  return ready;
}

test('a discord.js client logs in and sees the servers with their roles and channels', async () => {
  const { guildId, roles, channels, low } = sandbox.discord.seeded;
  const client = await readyClient();
  expect(client.user.id).toBe(sandbox.facts.discordBotId);
  expect(client.user.username).toBe(sandbox.facts.discordBotUsername);
  const guild = client.guilds.cache.get(guildId)!;
  expect(guild.name).toBe('Rock Mountain');
  expect(guild.memberCount).toBe(9);
  expect(guild.roles.cache.get(roles.holder)).toMatchObject({ name: 'Rock Holder', position: 1, managed: false });
  expect(guild.channels.cache.get(channels.verify)).toMatchObject({ name: 'verify' });
  expect(guild.members.me?.roles.highest.id).toBe(roles.bot);
  expect(guild.roles.cache.get(roles.holder)?.editable).toBe(true);
  expect(client.guilds.cache.get(low.guildId)?.roles.cache.get(low.holderRoleId)?.editable).toBe(false);
});

test('a client registers a command, defers an ephemeral answer and edits it', async () => {
  const { discord } = sandbox;
  const { channels, memberIds } = discord.seeded;
  const client = await readyClient();
  client.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    void interaction
      .deferReply({ flags: MessageFlags.Ephemeral })
      .then(() => interaction.editReply(`You said ${interaction.options.getString('word')}`));
  });
  await newRest().put(Routes.applicationCommands(client.application.id), {
    body: [
      { name: 'echo', description: 'Says it', options: [{ type: 3, name: 'word', description: 'A', required: true }] },
    ],
  });
  const place = { channelId: channels.verify, userId: memberIds[0]! };
  const interaction = discord.command({ ...place, name: 'echo', options: { word: 'rock' } });
  await until('the answer is there', () => interaction.state === 'answered');
  expect(interaction.answers).toMatchObject([
    { content: 'You said rock', ephemeralFor: memberIds[0], isLoading: false },
  ]);
  expect(discord.sees(place).map(({ content }) => content)).toEqual(['You said rock']);
  expect(discord.sees({ ...place, userId: memberIds[1]! })).toEqual([]);
});

test('after a dropped connection a client resumes and gets the events it missed', async () => {
  const { discord } = sandbox;
  const { guildId, memberIds, roles } = discord.seeded;
  const client = await readyClient();
  const updates: string[] = [];
  client.on(Events.GuildMemberUpdate, (_before, after) => updates.push(after.id));
  await client.guilds.cache.get(guildId)?.members.fetch();
  discord.dropConnections();
  await until('the connection is gone', () => discord.gateway().connections.length === 0);
  discord.giveRole({ guildId, userId: memberIds[2]!, roleId: roles.holder });
  await until('the update was replayed', () => updates.length === 1);
  expect(updates).toEqual([memberIds[2]]);
  expect(discord.gateway()).toMatchObject({ identifies: 1, resumes: 1, invalidSessions: 0 });
});

test('a client asked to reconnect resumes without loss; one whose session is lost identifies again', async () => {
  const { discord } = sandbox;
  const { guildId } = discord.seeded;
  const client = await readyClient();
  const names: string[] = [];
  client.on(Events.GuildUpdate, (_before, after) => names.push(after.name));
  discord.askToReconnect();
  discord.updateGuild({ guildId, name: 'Rock Hill' });
  await until('it has resumed', () => discord.gateway().resumes === 1);
  await until('the change has arrived', () => names.length === 1);
  discord.dropConnections({ isResumable: false });
  await until('it has identified again', () => discord.gateway().identifies === 2);
  expect(discord.gateway().invalidSessions).toBe(1);
  discord.updateGuild({ guildId, name: 'Rock Mountain' });
  await until('events arrive again', () => names.length === 2);
});

test('a client keeps its connection with heartbeats', async () => {
  sandbox.discord.setHeartbeats({ intervalMs: 400 });
  await readyClient();
  await until('it has sent three heartbeats', () => sandbox.discord.gateway().heartbeats >= 3);
  expect(sandbox.discord.gateway()).toMatchObject({ identifies: 1, resumes: 0, closes: {} });
});

test('a client gets events for joining, an outage and leaving, and fetches members by id', async () => {
  const { discord } = sandbox;
  const client = await readyClient();
  const happened: string[] = [];
  client.on(Events.GuildCreate, ({ name }) => happened.push(`joined ${name}`));
  client.on(Events.GuildUnavailable, ({ name }) => happened.push(`outage of ${name}`));
  client.on(Events.GuildDelete, ({ name }) => happened.push(`left ${name}`));
  const added = discord.addGuild({ name: 'New Hill' });
  const [id] = discord.addMembers({ guildId: added.id, count: 3, name: 'hill' });
  await until('it has joined', () => happened.length === 1);
  const members = await client.guilds.cache.get(added.id)!.members.fetch({ user: [id!, discord.bot.id] });
  expect([...members.values()].map(({ user }) => user.username).toSorted()).toEqual(['hill-1', discord.bot.username]);
  discord.setAvailable({ guildId: added.id, isAvailable: false });
  discord.setAvailable({ guildId: added.id, isAvailable: true });
  discord.kickBot({ guildId: added.id });
  await until('it has left', () => happened.length === 3);
  expect(happened).toEqual(['joined New Hill', 'outage of New Hill', 'left New Hill']);
});

test('a client reports a wrong token and disallowed intents', async () => {
  await expect(newClient().login('wrong')).rejects.toMatchObject({ code: 'TokenInvalid' });
  sandbox.discord.setPrivilegedIntents({ members: false });
  await expect(newClient().login(sandbox.facts.discordBotToken)).rejects.toThrow('Used disallowed intents');
});

test("a missing permission becomes discord.js's own error", async () => {
  const { low, memberIds } = sandbox.discord.seeded;
  const path = Routes.guildMemberRole(low.guildId, memberIds[0]!, low.holderRoleId);
  await expect(newRest().put(path)).rejects.toMatchObject({ code: 50013, status: 403, message: 'Missing Permissions' });
});
