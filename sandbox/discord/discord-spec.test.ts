import { ButtonStyle, ComponentType, MessageFlags, REST, Routes } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { CallRecord } from './discord-server.ts';
import { loadDiscordSpec, problemsOfCall } from './discord-spec.ts';
import { routes } from './routes/route-table.ts';

const spec = loadDiscordSpec();
const reason = 'Skipped: the published description (../shared/specs/discord-openapi.json) is not on this machine.\n';
if (!spec) process.stderr.write(reason);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ discordLimits: false });
});
afterAll(() => sandbox.stop());

const echo = {
  name: 'echo',
  description: 'Says it',
  options: [{ type: 3, name: 'word', description: 'What', required: true, choices: [{ name: 'A', value: 'a' }] }],
};
const components = [
  {
    type: ComponentType.ActionRow,
    components: [
      { type: ComponentType.Button, style: ButtonStyle.Primary, label: 'Go', custom_id: 'go' },
      { type: ComponentType.Button, style: ButtonStyle.Link, label: 'Look', url: 'https://a.example' },
    ],
  },
];
const embeds = [{ title: 'T', description: 'D', color: 0x3ba7f0, fields: [{ name: 'n', value: 'v', inline: true }] }];
const form = {
  custom_id: 'form',
  title: 'Form',
  components: [{ type: 1, components: [{ type: 4, custom_id: 'why', label: 'Why', style: 1 }] }],
};

/** Calls every route, with everything its answers can contain. */
async function everything(): Promise<void> {
  const { discord } = sandbox;
  const { guildId, channels, roles, memberIds, low } = discord.seeded;
  const rest = new REST({ api: `${sandbox.urls.discord}/api` }).setToken(discord.token);
  const id = discord.bot.id;
  const userId = memberIds[0]!;
  for (const route of [Routes.gatewayBot(), Routes.user(), Routes.user(userId), Routes.currentApplication()] as const) {
    await rest.get(route);
  }
  await rest.get('/oauth2/applications/@me');
  await rest.get(Routes.userGuilds());
  await rest.get(Routes.guild(guildId), { query: new URLSearchParams({ with_counts: 'true' }) });
  await rest.get(Routes.guildRoles(guildId));
  await rest.get(Routes.guildRole(guildId, roles.bot));
  await rest.get(Routes.guildChannels(guildId));
  await rest.get(Routes.guildMembers(guildId), { query: new URLSearchParams({ limit: '5', after: userId }) });
  await rest.get(Routes.guildMembersSearch(guildId), { query: new URLSearchParams({ query: 'Gran' }) });
  await rest.get(Routes.guildMember(guildId, userId));
  await rest.put(Routes.guildMemberRole(guildId, userId, roles.holder), { reason: 'Holds a röck' });
  await rest.delete(Routes.guildMemberRole(guildId, userId, roles.holder));
  await commands(rest);
  await messages(rest, channels.verify);
  const direct = (await rest.post(Routes.userChannels(), { body: { recipient_id: userId } })) as { id: string };
  await messages(rest, direct.id);
  const all = { rest, id, place: { userId, channelId: channels.verify } };
  await interactions(all);
  await interactions({ ...all, place: { userId, channelId: direct.id } });
  await rest.delete(Routes.userGuild(low.guildId));
}

async function commands(rest: REST): Promise<void> {
  const { bot, seeded } = sandbox.discord;
  const ofGuild = [bot.id, seeded.guildId] as const;
  await rest.put(Routes.applicationGuildCommands(...ofGuild), { body: [{ ...echo, name: 'local' }] });
  const [local] = (await rest.get(Routes.applicationGuildCommands(...ofGuild))) as [{ id: string }];
  await rest.post(Routes.applicationGuildCommands(...ofGuild), { body: { ...echo, name: 'more' } });
  await rest.get(Routes.applicationGuildCommand(...ofGuild, local.id));
  await rest.patch(Routes.applicationGuildCommand(...ofGuild, local.id), { body: { description: 'Else' } });
  await rest.delete(Routes.applicationGuildCommand(...ofGuild, local.id));
  await rest.put(Routes.applicationCommands(bot.id), {
    body: [{ ...echo, contexts: [0, 1], default_member_permissions: null }],
  });
  const made = (await rest.post(Routes.applicationCommands(bot.id), { body: { ...echo, name: 'two' } })) as {
    id: string;
  };
  await rest.get(Routes.applicationCommands(bot.id));
  await rest.get(Routes.applicationCommand(bot.id, made.id));
  await rest.patch(Routes.applicationCommand(bot.id, made.id), { body: { name: 'three' } });
  await rest.delete(Routes.applicationCommand(bot.id, made.id));
}

async function messages(rest: REST, channelId: string): Promise<void> {
  const body = { content: 'Hi <@1>', embeds, components, allowed_mentions: { parse: [] } };
  const { id } = (await rest.post(Routes.channelMessages(channelId), { body })) as { id: string };
  await rest.get(Routes.channel(channelId));
  await rest.get(Routes.channelMessages(channelId), { query: new URLSearchParams({ limit: '2' }) });
  await rest.get(Routes.channelMessage(channelId, id));
  await rest.patch(Routes.channelMessage(channelId, id), { body: { content: 'Bye' } });
  await rest.delete(Routes.channelMessage(channelId, id));
}

type Doing = { rest: REST; id: string; place: { userId: string; channelId: string } };

async function interactions({ rest, id, place }: Doing): Promise<void> {
  const { discord } = sandbox;
  const begin = () => discord.command({ ...place, name: 'echo', options: { word: 'a' } });
  const withResponse = { query: new URLSearchParams({ with_response: 'true' }), auth: false };
  const answer = (to: { id: string; token: string }, type: number, data?: unknown) =>
    rest.post(Routes.interactionCallback(to.id, to.token), {
      ...withResponse,
      body: { type, ...(data !== undefined && { data }) },
    });
  const first = begin();
  await answer(first, 4, { content: 'Here', components, flags: MessageFlags.Ephemeral });
  const webhook = [id, first.token] as const;
  await rest.get(Routes.webhookMessage(...webhook), { auth: false });
  await rest.patch(Routes.webhookMessage(...webhook), { body: { content: 'There', components }, auth: false });
  const more = (await rest.post(Routes.webhook(...webhook), { body: { content: 'And' }, auth: false })) as {
    id: string;
  };
  await rest.get(Routes.webhookMessage(...webhook, more.id), { auth: false });
  await rest.patch(Routes.webhookMessage(...webhook, more.id), { body: { content: 'Or' }, auth: false });
  await rest.delete(Routes.webhookMessage(...webhook, more.id), { auth: false });
  const pressed = () => discord.press({ userId: place.userId, messageId: first.originalMessageId!, button: 'Go' });
  await answer(pressed(), 6);
  await answer(pressed(), 7, { content: 'Changed', components });
  const asked = pressed();
  await answer(asked, 9, form);
  await answer(discord.submitModal({ interactionId: asked.id, values: { why: 'so' } }), 4, { content: 'Thanks' });
  await rest.delete(Routes.webhookMessage(...webhook), { auth: false });
  const second = begin();
  await answer(second, 5, { flags: MessageFlags.Ephemeral });
  await rest.patch(Routes.webhookMessage(id, second.token), { body: { content: 'Done' }, auth: false });
}

if (spec) {
  test('requests and answers of every route fit the published description', async () => {
    await everything();
    const calls = sandbox.discord.calls();
    const called = new Set(calls.map(({ method, route }) => `${method} ${route}`));
    expect(called).toEqual(new Set(routes.map(({ method, path }) => `${method} ${path}`)));
    expect(calls.filter(({ status }) => status >= 300)).toEqual([]);
    expect(calls.flatMap((call) => problemsOfCall(spec, call))).toEqual([]);
  });

  test('everything that does not fit the description is named', () => {
    const call: CallRecord = {
      method: 'POST',
      route: '/channels/{channel_id}/messages',
      path: '/channels/1/messages',
      query: { loud: 'true' },
      body: { txt: 'x', components: [{ type: 1, components: [{ type: 2, style: 1, label: 'x'.repeat(81) }] }] },
      reason: null,
      status: 201,
      answer: {},
      atMs: 0,
    };
    expect(problemsOfCall(spec, call).toSorted()).toEqual([
      expect.stringContaining('components[0].components[0].label: too long'),
      'POST /channels/{channel_id}/messages.txt is not in the description',
      'POST /channels/{channel_id}/messages: never answers 201',
      'POST /channels/{channel_id}/messages: no such parameter: loud',
    ]);
  });
} else {
  test('the sandbox names its routes', () => {
    expect(routes.map(({ path }) => path)).toContain('/gateway/bot');
  });
}
