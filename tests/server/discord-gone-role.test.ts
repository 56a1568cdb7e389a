import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { DiscordCopy } from '../support/discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';
import { verifyPerson } from '../support/verify-for-real.ts';

/** The chosen role of a server was deleted in Discord: what members read there and on /verify. */
let world: DiscordWorld;
let copy: DiscordCopy;
beforeAll(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
  await until('the commands are registered', () => discord().commands().length === 6);
  await knownGuild(world, discord().seeded.guildId);
  await configure(discord().seeded.roles.holder);
  discord().deleteRole({ guildId: guildId(), roleId: discord().seeded.roles.holder });
  await until('it is gone', async () => (await rolesKnown()).every((id) => id !== discord().seeded.roles.holder));
});
afterAll(() => world.end());

const discord = () => world.sandbox.discord;
const guildId = (): string => discord().seeded.guildId;
const gwen = () => ({ userId: discord().seeded.memberIds[0] ?? '', channelId: discord().seeded.channels.verify });
const configure = async (roleId: string): Promise<void> => {
  const { channels } = discord().seeded;
  const nftContract = world.sandbox.facts.collectionType;
  const form = { guildId: guildId(), roleId, channelId: channels.verify, nftContract, nftName: 'Sui Rocks' };
  const saved = await copy.call('POST', '/api/discord/configure', form);
  expect(saved.status, saved.body.message).toBe(200);
};
const rolesKnown = async (): Promise<readonly string[]> => {
  const [row] = await world.rows('select roles from discord_guilds where guild_id = $1', [guildId()]);
  return ((row?.['roles'] ?? []) as { id: string }[]).map(({ id }) => id);
};
const isGone = 'is gone: it was deleted in Discord';

describe('A holder in a server whose role was deleted', () => {
  test('who verifies reads that it is gone and who must choose another one, not that it is coming', async () => {
    const { outcome, sentences } = await verifyPerson(world.sandbox, copy, gwen(), 'Granite Gwen');
    expect(outcome).toBe('not-set-up');
    expect(sentences[0]).toContain(isGone);
    expect(sentences[0]).toContain('must choose another with /setup');
    expect(sentences.at(-1)).toBe('You get the new role as soon as one is chosen.');
  });

  test('reads the same from /why, and /stats counts nobody with the role', async () => {
    expect(await answerTo(discord().command({ ...gwen(), name: 'why' }))).toContain(isGone);
    expect(await answerTo(discord().command({ ...gwen(), name: 'stats' }))).toContain(
      'Verified and with the holder role: 0',
    );
  });

  test('gets the next one automatically as soon as it is chosen', async () => {
    const { id: roleId } = discord().createRole({ guildId: guildId(), name: 'Stone Holder', position: 1 });
    await until('it is known', async () => (await rolesKnown()).includes(roleId));
    await configure(roleId);
    const hasIt = () => discord().membersWithRole({ guildId: guildId(), roleId }).includes(gwen().userId);
    await until('she has it', hasIt);
  });
});
