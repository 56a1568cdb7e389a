import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { findCollection } from '../../sandbox/world/ownership.ts';
import type { DiscordCopy } from '../support/discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, startDiscordWorld } from '../support/discord-world.ts';
import { until } from '../support/until.ts';
import { verifyPerson } from '../support/verify-for-real.ts';

let world: DiscordWorld;
let copy: DiscordCopy;
beforeAll(async () => {
  world = await startDiscordWorld();
  copy = await world.activeCopy();
  await until('the commands are registered', () => discord().commands().length === 6);
  await knownGuild(world, discord().seeded.guildId);
  const { guildId, roles, channels } = discord().seeded;
  const { nftType: nftContract } = findCollection(world.sandbox.world.state, 'lava-lizards');
  const form = { guildId, roleId: roles.holder, channelId: channels.verify, nftContract, nftName: 'Lava Lizards' };
  const saved = await copy.call('POST', '/api/discord/configure', form);
  expect(saved.status, saved.body.message).toBe(200);
});
afterAll(() => world.end());

const discord = () => world.sandbox.discord;
const place = (userId: string) => ({ userId, channelId: discord().seeded.channels.verify });
const why = (userId: string) => answerTo(discord().command({ ...place(userId), name: 'why' }));

describe("A server with another collection than the product's own", () => {
  test('gives its role to holders of that collection, and speaks of pieces of its name', async () => {
    const { moderatorId: max, guildId, roles } = discord().seeded;
    const { outcome, sentences } = await verifyPerson(world.sandbox, copy, place(max), 'Max Ridge');
    expect(outcome).toBe('role-coming');
    expect(sentences.join(' ')).toContain('1 piece of Lava Lizards: 1 in your wallet');
    await until('the role is given', () => discord().membersWithRole({ guildId, roleId: roles.holder }).includes(max));
    const text = await why(max);
    expect(text).toContain('The role "Rock Holder" is for those who hold at least 1 piece of Lava Lizards');
    expect(text).toContain('1 piece of Lava Lizards: 1 in your wallet');
    expect(text).not.toMatch(/\brocks?\b/);
  });

  test("gives no role for rocks, and says that no pieces of its collection were found, not 'no rocks'", async () => {
    const gwen = discord().seeded.memberIds[0] ?? '';
    const { outcome, sentences } = await verifyPerson(world.sandbox, copy, place(gwen), 'Granite Gwen');
    expect(outcome).toBe('not-holding');
    expect(sentences.join(' ')).toContain('no pieces of Lava Lizards found');
    const text = await why(gwen);
    expect(text).toContain('no pieces of Lava Lizards found');
    expect(text).toContain('You get the role with your first piece of Lava Lizards');
    expect(text).not.toMatch(/\brocks?\b/);
    expect(
      discord()
        .roleChanges()
        .map(({ userId }) => userId),
    ).not.toContain(gwen);
  });
});
