import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import {
  createChannelSender,
  createRolePlatform,
  createRestClient,
  type RestOptions,
} from '../../src/discord/gateway/rest-calls.ts';
import type { RolePlatform } from '../../src/discord/ports.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { serveOnLoopback } from '../support/serve-on-loopback.ts';

/** Roles and direct messages through the real discord.js, against a sandbox that enforces Discord's rules. */
const platformOf = (options: RestOptions): RolePlatform =>
  createRolePlatform(createRestClient(options), async () => {});
let sandbox: Sandbox;
let platform: RolePlatform;
beforeEach(async () => {
  sandbox = await startSandbox();
  platform = platformOf({ token: sandbox.discord.token, apiUrl: `${sandbox.urls.discord}/api` });
});
afterEach(() => sandbox.stop());

const target = () => {
  const { guildId, roles, memberIds } = sandbox.discord.seeded;
  return { guildId, roleId: roles.holder, userId: memberIds[0]! };
};

describe('Roles in Discord', () => {
  it('are given and removed, with the reason in the log of the server; doing it twice does no harm', async () => {
    const member = target();
    expect(await platform.grantRole(member, 'Holds the collection (verified)')).toEqual({ kind: 'done' });
    expect(await platform.grantRole(member, 'again')).toEqual({ kind: 'done' });
    expect(sandbox.discord.membersWithRole(member)).toContain(member.userId);
    expect(sandbox.discord.roleChanges()[0]).toMatchObject({
      kind: 'given',
      reason: 'Holds the collection (verified)',
    });
    expect(await platform.removeRole(member, 'No longer holds')).toEqual({ kind: 'done' });
    expect(sandbox.discord.membersWithRole(member)).not.toContain(member.userId);
  });

  it('a refusal by Discord is explained in our words, with the fix', async () => {
    const member = target();
    const { low } = sandbox.discord.seeded;
    const lowMember = {
      guildId: low.guildId,
      roleId: low.holderRoleId,
      userId: sandbox.discord.guild(low.guildId).ownerId,
    };
    expect(await platform.grantRole(lowMember, 'x')).toMatchObject({
      kind: 'refused',
      code: 'missing-permission',
      sentence: expect.stringContaining('drag it above'),
    });
    expect(await platform.grantRole({ ...member, roleId: '100000000000000000' }, 'x')).toMatchObject({
      code: 'unknown-role',
    });
    sandbox.discord.removeMember(member);
    expect(await platform.grantRole(member, 'x')).toMatchObject({ code: 'unknown-member' });
    sandbox.discord.kickBot(member);
    expect(await platform.grantRole(member, 'x')).toMatchObject({
      kind: 'refused',
      code: expect.stringMatching(/unknown-guild|missing-permission/),
    });
  });

  it('limits are obeyed: each call of a burst either succeeds or returns how long to wait', async () => {
    const { guildId, roles } = sandbox.discord.seeded;
    const userIds = sandbox.discord.addMembers({ guildId, count: 25 });
    const outcomes = await Promise.all(
      userIds.map((userId) => platform.grantRole({ guildId, userId, roleId: roles.holder }, 'x')),
    );
    const done = outcomes.filter(({ kind }) => kind === 'done').length;
    expect(done).toBeGreaterThanOrEqual(10);
    for (const outcome of outcomes.filter(({ kind }) => kind !== 'done')) {
      expect(outcome).toMatchObject({ kind: 'limited' });
      expect((outcome as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
    }
  });

  it('a direct message pings nobody and shows no previews; closed messages are an outcome', async () => {
    const { userId } = target();
    expect(await platform.sendDirectMessage(userId, 'Your role ends. @everyone')).toEqual({ kind: 'done' });
    expect(sandbox.discord.directMessages(userId)).toMatchObject([{ content: 'Your role ends. @everyone' }]);
    const sent = sandbox.discord.calls().at(-1);
    expect(JSON.stringify(sent)).toContain('"parse":[]');
    sandbox.discord.setDms({ userId, isClosed: true });
    expect(await platform.sendDirectMessage(userId, 'x')).toMatchObject({ code: 'direct-messages-closed' });
  });

  it.each(['500', 'reset', 'refused'] as const)(
    'an outage is thrown, so that the call is retried: %s',
    async (kind) => {
      await sandbox.faults.set('discord', { kind });
      await expect(platform.grantRole(target(), 'x')).rejects.toBeInstanceOf(Unavailable);
      await sandbox.faults.clear('discord');
      expect(await platform.grantRole(target(), 'x')).toEqual({ kind: 'done' });
    },
  );

  it('a token that Discord refuses is a temporary failure, and appears in no error', async () => {
    const wrong = platformOf({ token: 'wrong.token.here', apiUrl: `${sandbox.urls.discord}/api` });
    const error = await wrong.grantRole(target(), 'x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unavailable);
    expect(JSON.stringify(error) + (error as Error).message).not.toContain('wrong.token.here');
  });

  it('a message that is refused because of the token waits, and is not refused for good', async () => {
    const wrong = createChannelSender(
      createRestClient({ token: 'wrong.token.here', apiUrl: `${sandbox.urls.discord}/api` }),
    );
    const [channelId = ''] = sandbox.discord.guilds()[0]?.channels.keys() ?? [];
    expect(await wrong(channelId, 'Paid')).toEqual({
      kind: 'not-now',
      reason: 'Discord refuses the token of the bot right now.',
    });
  });

  it('a 401 that Discord answers by mistake does not affect the next call', async () => {
    const received: (string | undefined)[] = [];
    const discord = createServer((request, response) => {
      received.push(request.headers.authorization);
      if (received.length > 1) return response.writeHead(204).end();
      const unauthorized = '{"message":"401: Unauthorized","code":0}';
      return response.writeHead(401, { 'content-type': 'application/json' }).end(unauthorized);
    }).listen(0, '127.0.0.1');
    await once(discord, 'listening');
    const apiUrl = `http://127.0.0.1:${(discord.address() as AddressInfo).port}/api`;
    const mistaken = platformOf({ token: 'the-token', apiUrl });
    await expect(mistaken.grantRole(target(), 'x')).rejects.toBeInstanceOf(Unavailable);
    expect(await mistaken.grantRole(target(), 'x')).toEqual({ kind: 'done' });
    expect(received).toEqual(['Bot the-token', 'Bot the-token']);
    discord.closeAllConnections();
    discord.close();
  });

  it.each([
    ['soon', 1_000],
    [null, 1_000],
    ['1e300', 7 * 24 * 3_600_000],
  ])('a limit that names %s as its time makes one call, and waits %s ms', async (named, retryAfterMs) => {
    let calls = 0;
    const origin = await serveOnLoopback((_request, response) => {
      calls += 1;
      if (named !== null) response.setHeader('retry-after', named);
      response.writeHead(429, { 'content-type': 'application/json' }).end('{}');
    });
    const limited = platformOf({ token: 'the-token', apiUrl: `${origin}/api` });
    const answer = await limited.grantRole(target(), 'x', AbortSignal.timeout(900)).catch((error: unknown) => error);
    expect(answer).toEqual({ kind: 'limited', retryAfterMs });
    expect(calls).toBe(1);
  });

  const refusingWith = async (status: number, body: string) => {
    const origin = await serveOnLoopback((_request, response) => {
      const type = body.startsWith('{') ? 'application/json' : 'text/html';
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    return { token: 'the-token', apiUrl: `${origin}/api` };
  };
  const secondFactor = expect.stringContaining('two-factor authentication');
  it.each([
    [403, '{"code":40003}', { kind: 'limited', retryAfterMs: 600_000 }],
    [403, '{"code":20026}', { kind: 'limited', retryAfterMs: 3_600_000 }],
    [400, '{"code":20026}', { kind: 'limited', retryAfterMs: 3_600_000 }],
    [403, '{"code":60003}', { kind: 'refused', code: 'missing-permission', sentence: secondFactor }],
    [403, '{"code":40001}', { kind: 'refused', code: 'other', sentence: 'Discord refused it (code 40001).' }],
  ])(
    'a refusal with the status %s and the body %s is read by its code, not by its status',
    async (status, body, expected) => {
      const refusing = platformOf(await refusingWith(status, body));
      const asked = [refusing.grantRole(target(), 'x'), refusing.sendDirectMessage(target().userId, 'x')];
      const caught = asked.map((answer) => answer.catch((error: unknown) => error));
      for (const answer of await Promise.all(caught)) expect(answer).toMatchObject(expected);
    },
  );

  it.each([
    [404, '{"code":10003}', 'The channel was deleted.'],
    [400, '{"code":40058}', 'This is a forum: choose a text channel, or a thread of the forum.'],
    [400, '{"code":160005}', 'This thread is closed: reopen it.'],
  ])(
    'a message that a channel does not take, with the status %s and the body %s, names the fix',
    async (...refusal) => {
      const [status, body, reason] = refusal;
      const send = createChannelSender(createRestClient(await refusingWith(status, body)));
      expect(await send('60000000000000001', 'Paid')).toEqual({ kind: 'refused', reason });
    },
  );

  it.each([
    ['a firewall refuses it in place of Discord', '<html>Blocked</html>'],
    ['Cloudflare blocks it', '{"code":40333}'],
    ['Discord has switched messages off for some time', '{"code":40004}'],
    ['Discord has switched a part of itself off for some time', '{"code":40006}'],
    ['Discord is overloaded', '{"code":130000}'],
  ])('nothing is refused for good while %s', async (_what, body) => {
    const unwell = await refusingWith(403, body);
    const channelMessage = createChannelSender(createRestClient(unwell))('60000000000000001', 'Paid');
    expect(await channelMessage).toMatchObject({ kind: 'not-now' });
    const its = platformOf(unwell);
    for (const call of [its.grantRole(target(), 'x'), its.sendDirectMessage(target().userId, 'x')])
      await expect(call).rejects.toMatchObject({ reason: 'upstream-error' });
  });
});
