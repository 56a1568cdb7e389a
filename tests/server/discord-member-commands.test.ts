import { describe, expect, test } from 'vitest';

import { discordCommandScene } from '../support/discord-command-scene.ts';
import { answerTo } from '../support/discord-world.ts';
import { until } from '../support/until.ts';

const { world, discord, memberId, say, setUp, panels, linkGwen, gwenAt, benAt } = discordCommandScene();

describe('/wallets', () => {
  test('lists the linked wallets, and a button unlinks each', async () => {
    await setUp();
    const address = await linkGwen();
    const asked = say('wallets', memberId(gwenAt));
    expect(await answerTo(asked)).toContain('Your wallets in this server (1)');
    const button = `Unlink ${address.slice(0, 6)}…${address.slice(-4)}`;
    const pressed = discord().press({ userId: memberId(gwenAt), messageId: asked.answers[0]!.id, button });
    await until('it is unlinked', async () => (await world().rows('select 1 from discord_wallets')).length === 0);
    await until('it is said', () => asked.answers[0]?.content.includes('not linked a wallet') === true);
    expect(pressed.state).not.toBe('failed');
    expect((await world().audited()).at(-1)?.actor).toBe('Granite Gwen');
  });

  test('an old button for a wallet that is no longer theirs unlinks nothing, and does not claim to', async () => {
    await setUp();
    await linkGwen();
    const asked = say('wallets', memberId(gwenAt));
    await answerTo(asked);
    await world().rows('delete from discord_wallets');
    const button = JSON.stringify(asked.answers[0]!.components).match(/Unlink 0x[^"]+/)?.[0] ?? '';
    discord().press({ userId: memberId(gwenAt), messageId: asked.answers[0]!.id, button });
    await until('it is answered', () => asked.answers[0]?.content.includes('not linked a wallet') === true);
    expect(asked.answers[0]?.content).not.toContain('Unlinked');
  });

  test('‘Delete my data’ asks first, and then everything is gone', async () => {
    await setUp();
    await linkGwen();
    const asked = say('wallets', memberId(gwenAt));
    await answerTo(asked);
    const press = (button: string) =>
      discord().press({ userId: memberId(gwenAt), messageId: asked.answers[0]!.id, button });
    press('Delete my data');
    await until('it is asked', () => asked.answers[0]?.content.includes('Delete your data') === true);
    press('Keep it');
    await until('nothing is deleted', () => asked.answers[0]?.content === 'Nothing was deleted.');
    expect(await world().rows('select 1 from discord_members')).toHaveLength(1);
    const again = say('wallets', memberId(gwenAt));
    await answerTo(again);
    discord().press({ userId: memberId(gwenAt), messageId: again.answers[0]!.id, button: 'Delete my data' });
    await until('it is asked', () => again.answers[0]?.content.includes('Delete your data') === true);
    discord().press({ userId: memberId(gwenAt), messageId: again.answers[0]!.id, button: 'Delete my data' });
    await until('it is done', async () => (await world().rows('select 1 from discord_members')).length === 0);
    expect(await world().rows('select 1 from discord_wallets')).toEqual([]);
  });

  test('and /why say who must do what before the server is set up', async () => {
    for (const name of ['wallets', 'why']) {
      expect(await answerTo(say(name, memberId(benAt)))).toContain('not set up yet');
    }
  });

  test('tells a member who has linked nothing how to', async () => {
    await setUp();
    expect(await answerTo(say('wallets', memberId(benAt)))).toContain('/verify');
  });
});

describe('/why, /stats and /help', () => {
  test('/why checks the wallets now and says what was found', async () => {
    await setUp();
    await linkGwen();
    const text = await answerTo(say('why', memberId(gwenAt)));
    expect(text).toContain('3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed');
    expect(text).toMatch(/Last checked: <t:\d+:R>/);
    await until('the role is given', () =>
      discord()
        .membersWithRole({ guildId: discord().seeded.guildId, roleId: discord().seeded.roles.holder })
        .includes(memberId(gwenAt)),
    );
  });

  test('/why during an outage of the chain says so in a sentence, and no role changes', async () => {
    await setUp();
    // Before there is anyone to check: otherwise the sweep after /setup would find the rocks.
    await world().sandbox.faults.set('sui', { kind: '500' });
    await linkGwen();
    expect(await answerTo(say('why', memberId(gwenAt)), 20_000)).toMatch(/could not be read|not be read/);
    expect(discord().roleChanges()).toEqual([]);
  });

  test('/why says within seconds that the problem is on our side when the database does not answer', async () => {
    await setUp();
    await linkGwen();
    const holder = await world().database.pool.connect();
    await holder.query('begin; lock table discord_members in access exclusive mode');
    expect(await answerTo(say('why', memberId(gwenAt)), 6_000)).toMatch(/on our side/);
    await holder.query('rollback');
    holder.release();
  });

  test('/stats counts members, verified, role holders and wallets', async () => {
    await setUp();
    await linkGwen();
    const text = await answerTo(say('stats', memberId(benAt)));
    expect(text).toContain('Members: 9');
    expect(text).toContain('Verified: 1');
    expect(text).toContain('Verified and with the holder role: ');
    expect(text).toContain('Wallets linked: 1');
  });

  test('every command is answered in time, only to the member who asked, and pings nobody', async () => {
    await setUp();
    await linkGwen();
    const hostile = '@everyone <@&1> [free](https://evil.example)';
    await world().rows('update discord_guild_configs set nft_name = $1', [hostile]);
    for (const name of ['verify', 'wallets', 'why', 'stats', 'help']) {
      const asked = say(name, memberId(gwenAt));
      await answerTo(asked);
      expect(asked.answeredAfterMs).toBeLessThan(3_000);
      expect(asked.answers.every(({ ephemeralFor }) => ephemeralFor === memberId(gwenAt))).toBe(true);
    }
    const everything = Object.values(discord().seeded.channels).flatMap((channel) => discord().history(channel));
    expect(
      everything.every(({ pinged }) => !pinged.everyone && pinged.roleIds.length + pinged.userIds.length === 0),
    ).toBe(true);
    expect(everything.map(({ content }) => content).join('\n')).not.toContain('[free](');
    const said = discord()
      .calls()
      .filter(({ body }) => typeof body === 'object' && body !== null && ('content' in body || 'data' in body))
      .map(({ body }) => JSON.stringify(body));
    expect(said.length).toBeGreaterThan(0);
    expect(
      said
        .filter((body) => body.includes('"content"'))
        .every((body) => body.includes('"allowed_mentions":{"parse":[]')),
    ).toBe(true);
  });

  test('an answer that comes too late is logged, not thrown', async () => {
    discord().setInteractionDeadline({ milliseconds: 0 });
    const asked = say('help', memberId(gwenAt));
    await until('it is too late', () => world().log().includes('too late'));
    expect(asked.answers).toEqual([]);
    discord().setInteractionDeadline({ milliseconds: 3_000 });
    expect(await answerTo(say('help', memberId(gwenAt)))).toContain('/verify');
  });

  test('a button of an older message is answered with a sentence', async () => {
    await setUp();
    const [panel] = panels(discord().seeded.channels.verify);
    const [row] = panel!.components as { components: { custom_id: string }[] }[];
    row!.components[0]!.custom_id = 'of-long-ago';
    const pressed = discord().press({ userId: memberId(gwenAt), messageId: panel!.id, button: 'of-long-ago' });
    expect(await answerTo(pressed)).toContain('older message');
  });
});
