import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { AdminPayout } from '../../src/payouts/payout-admin-contract.ts';
import { type Announcing, hashOf, startAnnouncing } from '../support/announcing.ts';
import { until } from '../support/until.ts';

/** Rulings R9 and docs/decisions/0014: a card is posted once; after a crash in between at most once more, which is then marked. */
let scene: Announcing;
let payout: AdminPayout;
beforeAll(async () => {
  scene = await startAnnouncing();
  payout = await scene.published('1234567');
});
afterAll(() => scene.product.stop());

const posted = async (place: string, kind = 'published', id = payout.id) =>
  (await scene.announcements(id)).posted.find((each) => each.place === place && each.kind === kind);
const arrived = (place: string, id = payout.id) =>
  until('it is posted', async () => (await posted(place, 'published', id))?.state === 'posted', 30_000);
const places = async () => (await scene.announcements(payout.id)).places;
const known = async (title: string): Promise<string> => {
  const place = await scene.group(title);
  await until('the bot knows the group', async () => (await places()).some((each) => each.place === place));
  return place;
};
const codeOf = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  return { status, code: (body as { code?: string }).code };
};

const unknownPlace = { status: 403, code: 'unknown-place' };
const chatIdOf = (group: string): number => Number(group.replace('telegram:', ''));

/** A group that removed the bot while the card was on its way, and has it back. */
async function failedIn(title: string): Promise<string> {
  const group = await known(title);
  const chatId = chatIdOf(group);
  const wait = { kind: '429', retryAfterSeconds: 2, operation: 'sendMessage', times: 1 };
  await scene.product.control('/control/faults', { service: 'telegram', ...wait });
  await scene.announce(payout.id, 'published', [group]);
  await scene.product.control('/control/telegram/set-bot', { chatId, status: 'kicked' });
  const reason = 'The bot was removed from this group.';
  await until('the reason is known', async () => (await posted(group))?.reason === reason, 30_000);
  expect(await codeOf(scene.announce(payout.id, 'published', [group]))).toEqual(unknownPlace);
  await scene.product.control('/control/telegram/set-bot', { chatId, status: 'member' });
  await until('the bot is back', async () => (await places()).some(({ place }) => place === group));
  expect(await posted(group)).toMatchObject({ state: 'failed', reason });
  return group;
}

/** Makes the group a supergroup and returns its new place. */
async function grow(group: string): Promise<string> {
  const moved = await scene.product.control('/control/telegram/migrate-group', { chatId: chatIdOf(group) });
  return `telegram:${(moved as { data: { id: number } }).data.id}`;
}

describe('A published payout', () => {
  test('is posted where the team chooses, with its figures, its hash and its page, and without a promise', async () => {
    const group = await known('Cave <b>& "echoes"');
    const { cards, places } = await scene.announcements(payout.id);
    expect(places.find(({ place }) => place === scene.verifyChannel)).toMatchObject({
      name: '#verify in Rock Mountain',
      trouble: null,
    });
    expect((await scene.announce(payout.id, 'published', [group, scene.verifyChannel])).status).toBe(200);
    await arrived(group);
    await arrived(scene.verifyChannel);
    const outcome = payout.plan?.outcome;
    const facts = [
      'Payout published: October',
      '0.001234567 SUI for each rock',
      `${outcome?.rocks} rocks of ${outcome?.holders} holders`,
      `checkpoint ${payout.plan?.checkpoint}`,
      payout.plan?.sha256 ?? '?',
      'discretionary and not guaranteed. No date is promised',
    ];
    const [inGroup = ''] = await scene.standing(group, 'October');
    const [inChannel = ''] = await scene.standing(scene.verifyChannel, 'October');
    for (const fact of facts) {
      expect(cards.find(({ kind }) => kind === 'published')?.text).toContain(fact);
      expect(inGroup).toContain(fact);
      // Backslashes keep Discord from formatting it.
      expect(inChannel.replaceAll('\\', '')).toContain(fact);
    }
    expect(inChannel).toContain(`](${scene.product.url}/payouts/${payout.id})`);
    expect(cards.find(({ kind }) => kind === 'paid')?.refusal).toMatch(
      /^This payout has not been paid in full: \d+ of its lines/,
    );
  });

  test('is posted once in a place, however often and however quickly it is requested', async () => {
    const group = await known('Once');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => scene.announce(payout.id, 'published', [group, scene.verifyChannel])),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await arrived(group);
    const later = await known('Later');
    await scene.announce(payout.id, 'published', [group, later]);
    await arrived(later);
    for (const place of [group, scene.verifyChannel, later]) {
      expect(await scene.standing(place, 'Payout published')).toHaveLength(1);
    }
    const { body } = await scene.send('GET', '/api/audit?action=payout-announced');
    const { entries } = (body as { data: { entries: readonly { after: { places: readonly string[] } }[] } }).data;
    expect(entries.map(({ after }) => after.places)).toEqual([
      ['Later'],
      ['Once'],
      ['Cave <b>& "echoes"', '#verify in Rock Mountain'],
    ]);
  });

  test('is not posted in a group that removed the bot, before or on the way, and can be posted when the bot is back', async () => {
    const group = await failedIn('Gone');
    await scene.announce(payout.id, 'published', [group]);
    await arrived(group);
    expect(await scene.standing(group, 'Payout published')).toHaveLength(1);
  });

  test('stays announced in a group that becomes a supergroup', async () => {
    const group = await known('Growing');
    await scene.announce(payout.id, 'published', [group]);
    await arrived(group);
    const grown = await grow(group);
    await until('its new id is known', async () => (await posted(grown))?.state === 'posted');
    await scene.announce(payout.id, 'published', [grown]);
    expect(await scene.standing(grown, 'Payout published')).toHaveLength(0);
  });

  test('is posted once if it failed before the group became a supergroup', async () => {
    const grown = await grow(await failedIn('Growing late'));
    const states = async () =>
      (await scene.announcements(payout.id)).posted.filter(({ place }) => place === grown).map(({ state }) => state);
    await until('it failed there', async () => (await states()).join() === 'failed');
    await scene.announce(payout.id, 'published', [grown]);
    await until('it is posted', async () => (await states()).includes('posted'), 30_000);
    await scene.announce(payout.id, 'published', [grown]);
    expect((await states()).toSorted()).toEqual(['failed', 'posted']);
  });

  test('is posted once although Discord says that it failed, and if the channel is deleted on the way, the reason says so', async () => {
    const { product, guildId } = scene;
    const made = (await product.control('/control/discord/create-channel', { guildId, name: 'news' })) as {
      data: { id: string };
    };
    const channelId = made.data.id;
    const place = `discord:${channelId}`;
    await until('the channel is known', async () => (await places()).some((each) => each.place === place));
    const fault = { service: 'discord', kind: 'accepted-503', operation: posting, times: 1 };
    await product.control('/control/faults', fault);
    await scene.announce(payout.id, 'published', [place]);
    await arrived(place);
    expect(await scene.standing(place, 'Payout published')).toHaveLength(1);
    const other = await scene.published('5000', 'March');
    await product.control('/control/faults', { ...fault, kind: '503' });
    await scene.announce(other.id, 'published', [place]);
    await product.control('/control/discord/delete-channel', { channelId });
    await until('it failed', async () => (await posted(place, 'published', other.id))?.state === 'failed', 30_000);
    expect(await posted(place, 'published', other.id)).toMatchObject({ reason: 'The channel was deleted.' });
    await until('it is no place any more', async () => !(await places()).some((each) => each.place === place));
    expect(await codeOf(scene.announce(payout.id, 'published', [place]))).toEqual(unknownPlace);
  });

  test('is posted in all places or none: an unknown place stops all of them', async () => {
    const group = await known('Halves');
    const wanted = [group, 'discord:300000000000099999'];
    expect(await codeOf(scene.announce(payout.id, 'published', wanted))).toEqual(unknownPlace);
    expect(await posted(group)).toBeUndefined();
    for (const places of [[], ['telegram:x'], ['signal:1']]) {
      expect((await scene.announce(payout.id, 'published', places)).status).toBe(400);
    }
    expect(await codeOf(scene.announce(payout.id, 'paid', [group]))).toEqual({ status: 403, code: 'not-paid' });
    expect(await codeOf(scene.announce(999_999, 'published', [group]))).toEqual({ status: 404, code: 'not-found' });
  });

  test('is not posted by a bot that is off, and the refusal says so', async () => {
    const group = await known('Off');
    await scene.send('POST', '/api/telegram/shutdown');
    const answer = await scene.announce(payout.id, 'published', [group]);
    expect(answer).toMatchObject({ status: 403, body: { code: 'place-in-trouble' } });
    expect((answer.body as { message: string }).message).toContain('The bot is off');
    await scene.send('POST', '/api/telegram/init');
  });
});

const posting = 'POST /channels/{channel_id}/messages';

describe('A product that is killed', () => {
  test('right after the request posts the card once', async () => {
    const group = await known('Killed at once');
    await scene.product.control('/control/faults', { service: 'telegram', kind: 'hang', operation: 'sendMessage' });
    await scene.product.control('/control/faults', { service: 'discord', kind: 'hang', operation: posting });
    const other = await scene.published('1000', 'November');
    await scene.announce(other.id, 'published', [group, scene.verifyChannel]);
    // With the faults cleared earlier, the kill might come between a message and its answer, which is the next test.
    await scene.product.restart('SIGKILL', () => scene.product.control('/control/faults/clear'));
    await arrived(group, other.id);
    await arrived(scene.verifyChannel, other.id);
    for (const place of [group, scene.verifyChannel]) {
      expect(await scene.standing(place, hashOf(other))).toHaveLength(1);
    }
  }, 120_000);

  test('between a message and its answer posts no second one on Discord, at most one on Telegram, and marks both', async () => {
    const group = await known('Killed in between');
    const other = await scene.published('2000', 'December');
    const once = { kind: 'accepted-hang', times: 1 };
    await scene.product.control('/control/faults', { service: 'telegram', operation: 'sendMessage', ...once });
    await scene.product.control('/control/faults', { service: 'discord', operation: posting, ...once });
    await scene.announce(other.id, 'published', [group, scene.verifyChannel]);
    const standing = async (place: string) => (await scene.standing(place, hashOf(other))).length;
    // On a slow machine a call may time out and the card be posted twice before this check.
    await until('both are there', async () => (await standing(group)) > 0 && (await standing(scene.verifyChannel)) > 0);
    await scene.product.restart('SIGKILL');
    await arrived(group, other.id);
    await arrived(scene.verifyChannel, other.id);
    expect(await standing(scene.verifyChannel)).toBe(1);
    expect(await standing(group)).toBeLessThanOrEqual(2);
    expect(await posted(group, 'published', other.id)).toMatchObject({ isDoubtful: true });
    expect(await posted(scene.verifyChannel, 'published', other.id)).toMatchObject({ isDoubtful: true });
    // Whether it arrived is not known, so another request does not send it again.
    await scene.announce(other.id, 'published', [group, scene.verifyChannel]);
    expect((await scene.announcements(other.id)).posted).toHaveLength(2);
  }, 120_000);
});

describe('A payout that is paid', () => {
  test('is announced as paid, no longer as published, and a withdrawn one not at all', async () => {
    const group = await known('Paid');
    const other = await scene.published('3000', 'January');
    await scene.pay(await scene.lines(other.id));
    const state = async () => (await scene.payoutPage(other.id)).state;
    await until('the chain says that it is paid', async () => (await state()) === 'paid', 90_000);
    expect(await codeOf(scene.announce(other.id, 'published', [group]))).toEqual({
      status: 403,
      code: 'not-published',
    });
    await scene.announce(other.id, 'paid', [group]);
    await until('it is posted', async () => (await posted(group, 'paid', other.id))?.state === 'posted', 30_000);
    const [text = ''] = await scene.standing(group, 'Payout paid: January');
    expect(text).toContain('SUI paid, for');
    expect(text).toContain('discretionary and not guaranteed');

    const withdrawn = await scene.published('4000', 'February');
    await scene.send('POST', `/api/admin/payouts/${withdrawn.id}/withdraw`, { reason: 'Wrong month' });
    for (const kind of ['published', 'paid']) {
      expect((await scene.announce(withdrawn.id, kind, [group])).status).toBe(403);
    }
  }, 240_000);
});
