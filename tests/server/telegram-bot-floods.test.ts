import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startDoomed } from '../support/doomed-copy.ts';
import { freePort } from '../support/free-port.ts';
import {
  configurationOf,
  handled,
  quickPace,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
} from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

/** One slow chat never holds back others, and no flood of questions costs a group its notifications. */
let world: TelegramWorld;
let creator: number;
let members: readonly number[];
beforeEach(async () => {
  world = await startTelegramWorld({ telegramLimits: true });
  creator = telegram().createUser({ firstName: 'Cleo' }).id;
  members = Array.from({ length: 5 }, (_none, index) => telegram().createUser({ firstName: `Moe ${index}` }).id);
});
afterEach(() => world.end());

const telegram = () => world.sandbox.telegram;
const type = (chatId: number, text: string, userId: number): number =>
  telegram().type({ chatId, userId, text }).messageId;
const facts = ['/floor', '/summary', '/status', '/help', '/start'];

const group = async (): Promise<number> => {
  const people = [{ userId: creator, status: 'creator' as const }, ...members.map((userId) => ({ userId }))];
  const { id } = telegram().createChat({ kind: 'supergroup', title: 'Rock Group', members: people });
  await setUpGroup(world, id, world.sandbox.facts.collectionType, creator);
  return id;
};
const botSaid = (chatId: number, afterId = 0) =>
  telegram()
    .history(chatId)
    .filter(({ from, messageId }) => from.is_bot && messageId > afterId);
const flood = (chatId: number, count: number): void => {
  for (let index = 0; index < count; index += 1) {
    type(chatId, facts[index % facts.length]!, members[index % members.length]!);
  }
};
const noApology = (chatId: number): void =>
  expect(botSaid(chatId).filter(({ text }) => /did not work/.test(text ?? ''))).toEqual([]);
const withinLimits = (): void => expect(telegram().counters().overLimit).toMatchObject({ overall: 0, group: 0 });

describe('a flood of questions', () => {
  test('of 140 in one group is worked off, and meanwhile an admin of another group is answered within 5 s', async () => {
    await world.activeCopy();
    const [flooded, other] = [await group(), await group()];
    for (let index = 0; index < 140; index += 1) type(flooded, '/floor', members[0]!);
    await saidIn(world, other, 'Tracking', type(other, '/status', creator), 5_000);
    await handled(world);
    expect(botSaid(flooded).filter(({ text }) => /floor \d/i.test(text ?? '')).length).toBeLessThanOrEqual(10);
    noApology(flooded);
    withinLimits();
  });

  test('lets the notifications of its group keep arriving, and its admin is answered within 15 s', async () => {
    await world.activeCopy();
    const chatId = await group();
    for (let round = 0; round < 3; round += 1) {
      flood(chatId, 50);
      const from = botSaid(chatId).at(-1)!.messageId;
      const [minted] = world.sandbox.world.burst({ collection: 'rocks', kind: 'mint', count: 1 });
      await saidIn(world, chatId, `#${minted!.number}`, from, 10_000);
    }
    flood(chatId, 50);
    await saidIn(world, chatId, 'What gets posted about', type(chatId, '/tracking', creator), 15_000);
    noApology(chatId);
    withinLimits();
  });
});

describe('people who are not admins', () => {
  const crowd = (count: number): readonly number[] =>
    Array.from({ length: count }, (_none, index) => telegram().createUser({ firstName: `Ann ${index}` }).id);
  const crowdedGroup = async (strangers: readonly number[]): Promise<{ chatId: number; second: number }> => {
    const second = telegram().createUser({ firstName: 'Dan' }).id;
    const { id: chatId } = telegram().createChat({
      kind: 'supergroup',
      title: 'Crowded',
      members: [
        { userId: creator, status: 'creator' },
        { userId: second, status: 'administrator' },
        ...strangers.map((userId) => ({ userId })),
      ],
    });
    await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
    return { chatId, second };
  };

  test('forty who send admin commands cost no admin an answer, known to the bot or not; few of them get a notice', async () => {
    await world.activeCopy();
    const strangers = crowd(40);
    const { chatId, second } = await crowdedGroup(strangers);
    for (const stranger of strangers) type(chatId, '/tracking', stranger);
    const [own, never] = [type(chatId, '/tracking', creator), type(chatId, '/remove', second)];
    await saidIn(world, chatId, 'What gets posted about', own, 8_000);
    await saidIn(world, chatId, 'Stop tracking', never, 8_000);
    const [minted] = world.sandbox.world.burst({ collection: 'rocks', kind: 'mint', count: 1 });
    await saidIn(world, chatId, `#${minted!.number}`, own, 10_000);
    await handled(world);
    expect(botSaid(chatId).filter(({ text }) => /for group admins/.test(text ?? '')).length).toBeLessThan(4);
    withinLimits();
  });

  test('four hundred presses do not delay the answer to an admin whom the bot has not met', async () => {
    await world.activeCopy();
    const strangers = crowd(40);
    const { chatId, second } = await crowdedGroup(strangers);
    const menu = await saidIn(world, chatId, 'What gets posted about', type(chatId, '/tracking', creator));
    world.sandbox.faults.setLatency('telegram', 120);
    for (let round = 0; round < 10; round += 1) {
      for (const userId of strangers)
        telegram().press({ chatId, messageId: menu.messageId, userId, button: '✅ Bids on' });
    }
    await saidIn(world, chatId, 'Stop tracking', type(chatId, '/remove', second), 5_000);
    expect(await configurationOf(world, chatId)).toMatchObject({ track_bids: true });
  });

  test("an admin's /remove behind many of their commands survives a kill -9, though neither copy knows who is an admin", async () => {
    const first = await world.activeCopy();
    const strangers = crowd(60);
    const { chatId } = await crowdedGroup(strangers);
    await first.stop();
    const doomed = await startDoomed(world, quickPace);
    await world.sandbox.faults.set('telegram', { kind: 'hang', operation: 'getChatAdministrators' });
    for (const stranger of strangers) type(chatId, '/tracking', stranger);
    const removing = type(chatId, '/remove', creator);
    await until('the updates are confirmed', () => telegram().counters().pendingUpdates === 0);
    await doomed.end('SIGKILL');
    await world.sandbox.faults.clear('telegram');
    await world.copy();
    await saidIn(world, chatId, 'Stop tracking', removing, 25_000);
  });
});

describe('one account in its own group', () => {
  test('forty questions and a thousand stickers there delay nobody elsewhere', async () => {
    await world.activeCopy();
    const other = await group();
    const attacker = telegram().createUser({ firstName: 'Eve' }).id;
    const members = [{ userId: attacker, status: 'creator' as const }];
    const { id: own } = telegram().createChat({ kind: 'supergroup', title: 'Own', members, bot: 'administrator' });
    await saidIn(world, own, 'No collection', type(own, '/tracking', attacker));
    for (let index = 0; index < 39; index += 1) type(own, '/help', attacker);
    const sticker = { file_id: 'x', file_unique_id: 'y', type: 'regular', width: 1, height: 1 };
    for (let index = 0; index < 1_000; index += 1) telegram().postService({ chatId: own, service: { sticker } });
    await saidIn(world, other, 'Tracking', type(other, '/status', creator), 5_000);
    await handled(world);
    const { rows } = await world.database.pool.query('select 1 from telegram_inbox where chat_id = $1', [own]);
    expect(rows.length).toBeLessThan(12);
  });
});

describe('calls of the webhook', () => {
  test('a repeated update is taken once, and a malformed one is ignored without a failure', async () => {
    const copy = await world.activeCopy({ mode: 'webhook', port: await freePort() });
    const set = telegram()
      .calls()
      .findLast(({ method }) => method === 'setWebhook');
    const { pathname } = new URL(set?.parameters['url'] ?? '');
    const headers = { 'x-telegram-bot-api-secret-token': set?.parameters['secret_token'] ?? '' };
    const post = (body: unknown) => copy.call('POST', pathname, body, headers);
    const { adminId } = telegram().seeded;
    await saidIn(world, adminId, 'keep watch', type(adminId, '/start', adminId));
    const person = { id: adminId, is_bot: false, first_name: 'Ada' };
    const message = {
      message_id: 5,
      date: 1,
      chat: { id: adminId, type: 'private', first_name: 'Ada' },
      from: person,
      text: '/start',
      entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    };
    for (const body of [
      { update_id: 9, callback_query: { id: 1, data: 5 } },
      { update_id: 5, message: { chat: null, text: '/setup' } },
      { update_id: 6, message: { ...message, entities: 'none' } },
      { update_id: 7, my_chat_member: { chat: message.chat } },
    ]) {
      expect(await post(body), JSON.stringify(body)).toMatchObject({ status: 200, body: { ok: true } });
    }
    expect(world.log().match(/update that breaks the Bot API/g)).toHaveLength(1);
    expect(world.log()).not.toContain('could not be handled');
    const again = await Promise.all([1, 2, 3].map(() => post({ update_id: 77, message })));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await post({ update_id: 77, message })).toMatchObject({ status: 200 });
    await post({
      update_id: 78,
      message: { ...message, text: '/help', entities: [{ type: 'bot_command', offset: 0, length: 5 }] },
    });
    await until('both are answered', () => botSaid(adminId).length >= 3);
    expect(botSaid(adminId)).toHaveLength(3);
    const large = await post({ update_id: 79, x: 'x'.repeat(600_000) });
    expect(large).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
    expect(large.body.message).toContain('512 kB');
  });
});
