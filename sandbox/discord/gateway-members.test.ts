import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { intents } from './gateway/intents.ts';
import { identified } from './gateway-caller.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.discord.reset());

const usual = intents.GUILDS | intents.GUILD_MEMBERS;

describe('members requested from the gateway', () => {
  const ask = async (caller: Awaited<ReturnType<typeof identified>>, wanted: object) => {
    caller.send(8, { guild_id: sandbox.discord.seeded.guildId, limit: 0, ...wanted });
    return caller.event('GUILD_MEMBERS_CHUNK');
  };

  test('are sent by id, with the nonce and the ids not found', async () => {
    const { memberIds } = sandbox.discord.seeded;
    const caller = await identified(sandbox, usual);
    const chunk = await ask(caller, { user_ids: [memberIds[1], '7'], nonce: 'n1' });
    expect(chunk).toMatchObject({ nonce: 'n1', chunk_index: 0, chunk_count: 1, not_found: ['7'] });
    expect((chunk['members'] as { user: { id: string } }[]).map(({ user }) => user.id)).toEqual([memberIds[1]]);
    const byName = await ask(caller, { query: 'basalt', limit: 5 });
    expect(byName['members']).toMatchObject([{ user: { username: 'basalt.ben' } }]);
    caller.break();
  });

  test('are sent as a whole list in chunks of a thousand, once in 30 s, only with the intent', async () => {
    const { guildId } = sandbox.discord.seeded;
    sandbox.discord.addMembers({ guildId, count: 1500 });
    const few = await identified(sandbox, intents.GUILDS);
    few.send(8, { guild_id: guildId, query: '', limit: 0 });
    const caller = await identified(sandbox, usual);
    const chunks = [await ask(caller, { query: '' }), await caller.event('GUILD_MEMBERS_CHUNK')];
    expect(chunks.map((chunk) => (chunk['members'] as unknown[]).length)).toEqual([1000, 509]);
    expect(chunks.map((chunk) => [chunk['chunk_index'], chunk['chunk_count']])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    caller.send(8, { guild_id: guildId, query: '', limit: 0 });
    expect(await caller.event('RATE_LIMITED')).toMatchObject({ opcode: 8, meta: { guild_id: guildId } });
    expect(few.heard.filter(({ t }) => t === 'GUILD_MEMBERS_CHUNK')).toEqual([]);
    few.break();
    caller.break();
  });
});
