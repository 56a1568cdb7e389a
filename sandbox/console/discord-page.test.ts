import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { discordCaller } from '../discord/discord-caller.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

const productUrl = 'http://localhost:54321';
const button = (label: string, rest: object) => ({ type: 2, style: 1, label, ...rest });

let sandbox: Sandbox;
let call: ReturnType<typeof discordCaller>;
let gwen = '';
let ben = '';
let verifyId = '';
beforeAll(async () => {
  sandbox = await startSandbox({ discordLimits: false, productUrl });
  call = discordCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  sandbox.discord.reset();
  sandbox.world.reset();
  const { memberIds, channels } = sandbox.discord.seeded;
  [gwen = '', ben = ''] = memberIds;
  verifyId = channels.verify;
});

const live = async (query: Record<string, string> = {}): Promise<Record<string, string>> => {
  const asked = new URLSearchParams({ channel: verifyId, as: gwen, ...query });
  const answer = await fetch(`${sandbox.urls.console}/discord/live?${asked.toString()}`);
  return (await answer.json()) as Record<string, string>;
};
const post = async (body: object) => {
  const said = await call('POST', `/channels/${verifyId}/messages`, { body });
  expect(said.status).toBe(200);
  return String(said.body['id']);
};
const register = async () => {
  const options = [
    { type: 8, name: 'role', description: 'The role', required: true },
    { type: 7, name: 'channel', description: 'The channel', required: true },
    { type: 4, name: 'count', description: 'How many' },
  ];
  const body = [
    { name: 'setup', description: 'Set it up', options },
    { name: 'verify', description: 'Verify' },
  ];
  expect((await call('PUT', `/applications/${sandbox.facts.discordBotId}/commands`, { body })).status).toBe(200);
};

test('formatting and escapes are rendered, and the page shows who a message notified', async () => {
  await post({ content: `**Bold \\*\\*still**, \\*no\\*, \`code_x_\`, a_b_c, _slanted_ <@${ben}> <t:1764000000:R>` });
  const { messages = '' } = await live();
  expect(messages).toContain('<b>Bold **still</b>, *no*, <code>code_x_</code>, a_b_c, <i>slanted</i>');
  expect(messages).toContain('<span class="named">@Basalt Ben</span> <time>2025-11-24 16:00 UTC</time>');
  expect(messages).toContain('notified Basalt Ben');
  await post({ content: `<@${ben}>`, allowed_mentions: { parse: [] } });
  expect((await live())['messages']?.match(/notified/g)).toHaveLength(1);
});

test('all text from people and bots is escaped', async () => {
  const nasty = '<img src=x onerror=alert(1)>';
  sandbox.discord.say({ userId: gwen, channelId: verifyId, content: `${nasty} [x](javascript:alert(3))` });
  sandbox.discord.updateMember({ guildId: sandbox.discord.seeded.guildId, userId: ben, nick: nasty.slice(0, 28) });
  await post({
    content: nasty,
    embeds: [{ title: nasty, description: nasty }],
    components: [{ type: 1, components: [button(nasty, { custom_id: 'x' })] }],
  });
  const answer = await fetch(`${sandbox.urls.console}/discord?channel=${verifyId}&as=${gwen}`);
  const page = await answer.text();
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toMatch(/<img src=x|<script>|href="javascript:|style="|onclick/);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('links to the product open in the browser with a wallet, other links are unchanged', async () => {
  const links = [
    button('Go', { style: 5, url: `${productUrl}/verify/abc` }),
    button('Out', { style: 5, url: 'https://scan.example/1' }),
  ];
  await post({ content: `${productUrl}/verify/def ${productUrl}9/x`, components: [{ type: 1, components: links }] });
  const { messages = '' } = await live();
  const hrefs = [...messages.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  const own = sandbox.urls.walletBrowser;
  expect(hrefs).toEqual([`${own}/verify/def`, `${productUrl}9/x`, `${own}/verify/abc`, 'https://scan.example/1']);
});

test('a button is pressed as the chosen person, and only they see its ephemeral answer', async () => {
  const messageId = await post({
    content: 'Panel',
    components: [{ type: 1, components: [button('Verify', { custom_id: 'verify' })] }],
  });
  const { messages = '' } = await live();
  const form = /<form data-command="discord\/press">[^]*?<\/form>/.exec(messages)?.[0] ?? '';
  const fields = Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  expect(fields).toEqual({ userId: gwen, messageId, button: 'verify' });
  const pressed = await fetch(`${sandbox.urls.console}/control/discord/press`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  const { id, token } = ((await pressed.json()) as { data: { id: string; token: string } }).data;
  await call('POST', `/interactions/${id}/${token}/callback`, {
    body: { type: 4, data: { content: 'For Gwen', flags: 64 } },
  });
  expect((await live())['messages']).toMatch(/For Gwen[^]*only you see this/);
  expect((await live({ as: ben }))['messages']).not.toContain('For Gwen');
});

test("a click on a name switches to that person in the channel of the bot's panel", async () => {
  const { welcome } = sandbox.discord.seeded.channels;
  const leadsTo = async (): Promise<string | undefined> =>
    new RegExp(`href="[^"]*channel=(\\d+)[^"]*as=${ben}"`).exec(
      (await live({ channel: welcome }))['people'] ?? '',
    )?.[1];
  expect(await leadsTo()).toBe(welcome);
  await post({ content: 'Panel', components: [{ type: 1, components: [button('Verify', { custom_id: 'verify' })] }] });
  expect(await leadsTo()).toBe(verifyId);
});

test('commands appear once the bot has registered them, with a field for each option', async () => {
  expect((await live())['commands']).toContain('Is it started?');
  await register();
  const { commands = '' } = await live();
  const { roles, channels } = sandbox.discord.seeded;
  expect(commands).toMatch(/<button>\/verify<\/button>/);
  expect(commands).toContain(`<option value="${roles.holder}">Rock Holder</option>`);
  expect(commands).toContain(`<option value="${channels.holders}">#holders</option>`);
  expect(commands).toMatch(/<select\s+name="role"\s+data-option\s+required/);
  expect(commands).toMatch(/<input\s+name="count"\s+data-option\s+data-number/);
});

test('the page says when the bot did not answer in time', async () => {
  await register();
  sandbox.discord.setInteractionDeadline({ milliseconds: 1 });
  const doing = sandbox.discord.command({ userId: gwen, channelId: verifyId, name: 'verify' });
  await expect.poll(() => doing.state).toBe('failed');
  expect((await live())['failed']).toContain('The application did not respond to /verify.');
  expect((await live({ as: ben }))['failed']).toBe('');
});

test('a person without access sees nothing, and a removed bot can be invited again', async () => {
  const { guildId } = sandbox.discord.seeded;
  sandbox.discord.removeMember({ guildId, userId: gwen });
  const gone = await live();
  expect(gone['messages']).toContain('Granite Gwen cannot see this channel.');
  expect(gone['people']).toContain('Let Granite Gwen join');
  sandbox.discord.kickBot({ guildId });
  const without = await live({ as: ben });
  expect(without['presence']).toContain('is not in this server');
  expect(without['switches']).toContain('Invite the bot');
});

test('direct messages are those of the chosen person', async () => {
  const channel = await call('POST', '/users/@me/channels', { body: { recipient_id: gwen } });
  await call('POST', `/channels/${String(channel.body['id'])}/messages`, { body: { content: 'Your rock is gone' } });
  expect((await live({ channel: 'dm' }))['messages']).toContain('Your rock is gone');
  expect((await live({ channel: 'dm', as: ben }))['messages']).not.toContain('Your rock is gone');
});

test('a sale appears in both wallets and at the marketplace', async () => {
  const read = async () =>
    (await (await fetch(`${sandbox.urls.console}/wallets/live`)).json()) as Record<string, string>;
  expect((await read())['person-0']).toMatch(/in a kiosk, listed at [\d.]+ SUI/);
  const order = (name: string, body: object) =>
    fetch(`${sandbox.urls.console}/control/wallets/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const [rock] = sandbox.wallets.holdings('Pumice Pete');
  const olga = sandbox.wallets.person('Olga Summit').address;
  expect((await order('sell', { nftId: rock!.nft.id, to: olga })).status).toBe(200);
  const parts = Object.values(await read());
  expect([parts[6], parts[8]]).toEqual([
    expect.stringContaining('Holds nothing'),
    expect.stringContaining(rock!.nft.name),
  ]);
  expect(sandbox.world.state.actions.slice(-2)).toMatchObject([
    { type: 'list', nftId: rock!.nft.id },
    { type: 'buy', nftId: rock!.nft.id, receiver: olga },
  ]);
  expect((await order('buy-cheapest', { person: 'Pumice Pete' })).status).toBe(200);
  expect(sandbox.wallets.holdings('Pumice Pete')).toHaveLength(1);
  expect((await order('buy-cheapest', { person: 'Nobody' })).status).toBe(409);
});
