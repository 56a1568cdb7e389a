import { Client } from 'discord.js';
import { expect, test } from 'vitest';

import type { BotDeps } from './command.ts';
import { addInteractions } from './interactions.ts';

const guildId = '100000000000000001';
const userId = '100000000000000002';

/** Gives discord.js an interaction as if the gateway had sent it. */
function receive(client: Client, data: object): void {
  const user = { id: userId, username: 'ann', discriminator: '0', avatar: null };
  const interaction = {
    id: '100000000000000003',
    application_id: '100000000000000004',
    type: 3,
    token: 'token',
    version: 1,
    entitlements: [],
    authorizing_integration_owners: {},
    attachment_size_limit: 0,
    guild_id: guildId,
    member: { user, roles: [], joined_at: '2026-01-01T00:00:00Z', permissions: '0', flags: 0 },
    message: { id: '100000000000000005', channel_id: '100000000000000006', author: user },
    data,
  };
  const { actions } = client as unknown as { actions: { InteractionCreate: { handle(given: object): void } } };
  actions.InteractionCreate.handle(interaction);
}

test('a button without an id gets no answer, and the product keeps running', async () => {
  const client = new Client({ intents: [] });
  const guilds = client.guilds as unknown as { _add(guild: object): void };
  guilds._add({ id: guildId, name: 'Rocks', roles: [], channels: [], members: [] });
  const warnings: string[] = [];
  const log = {
    info: () => {},
    warn: (_details: object, message: string) => void warnings.push(message),
    error: () => {},
  };
  const work = addInteractions(client, { log } as unknown as BotDeps);
  receive(client, { component_type: 2 });
  await work.stop();
  expect(warnings).toEqual(['An interaction from Discord could not be read']);
  await client.destroy();
});
