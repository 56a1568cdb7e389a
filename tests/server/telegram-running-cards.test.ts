import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ActivityEvent } from '../../src/market/contract.ts';
import type { Messaging } from '../../src/telegram/messaging.ts';
import { mist, someAddress, someEvent, someNft } from '../support/activity-events.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps } from '../support/delivery-steps.ts';

/** Rulings R4 and issue 19, part E: a wallet that keeps listing, or one NFT that is listed again and again, has one card, edited as it grows. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering({ telegramLimits: false })));
afterEach(() => delivering.end());

const { drainedInNoTime: drained, sql } = deliverySteps(() => delivering);

const telegram = () => delivering.sandbox.telegram;
const shown = (chatId: string): string[] =>
  telegram()
    .history(Number(chatId))
    .flatMap(({ from, text, service }) => (from.id === telegram().bot.id && !service ? (text ?? []) : []));

/** Listings of one wallet, each in a poll of its own. */
function wallet(deliveries: Messaging, given: Partial<ActivityEvent> = {}) {
  const earlier: ActivityEvent[] = [];
  return async (number: number, price: number, of: Partial<ActivityEvent> = {}): Promise<void> => {
    const event = {
      kind: 'listing' as const,
      type: 'list',
      ...someNft(number, { nftImageUrl: null }),
      seller: someAddress(0xabc),
      priceMist: mist(price),
      happenedAt: new Date(),
      ...given,
      ...of,
    };
    const [id = 0n] = await delivering.happen(deliveries, [event], { earlierListings: earlier.toReversed() });
    earlier.push(someEvent(Number(id), { ...event, trackedCollectionId: delivering.collection.id }));
  };
}

describe('a wallet that lists more than 10 NFTs in an hour', () => {
  it('makes 11 messages of 16 NFTs, one per poll: the last one grows with each', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    for (let number = 1; number <= 16; number += 1) {
      await list(number, 20 + number);
      await drained();
    }
    expect(delivering.received(chatId)).toHaveLength(11);
    const cards = shown(chatId);
    expect(cards).toHaveLength(11);
    expect(cards[9]).toContain('Sui Rock #10 listed for 30 SUI');
    expect(cards[10]).toContain('one wallet within an hour: 16 listings at 21 to 36 SUI');
    expect(cards[10]).toContain('Lowest: Sui Rock #1 for 21 SUI\nNewest: Sui Rock #16 for 36 SUI');
    expect((await delivering.rows(chatId)).every(({ state, is_doubtful }) => state === 'sent' && !is_doubtful)).toBe(
      true,
    );
  });

  it('has one card if it grows while it waits, too, and what follows comes after it', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    const list = wallet(deliveries);
    for (let number = 1; number <= 11; number += 1) await list(number, 20 + number);
    await delivering.enqueue([{ chatId, text: 'after it' }]);
    for (let number = 12; number <= 16; number += 1) await list(number, 20 + number);
    deliveries.start();
    await drained();
    expect(delivering.received(chatId)).toHaveLength(12);
    expect(shown(chatId).slice(10)).toEqual([expect.stringContaining('16 listings'), 'after it']);
  });

  it('has a new card once the hour of the first is over', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    for (let number = 1; number <= 12; number += 1) await list(number, 20);
    await drained();
    const before = delivering.received(chatId).length;
    await sql("update telegram_messages set running_until = clock_timestamp() where running_key like 'wallet%'");
    await list(13, 20);
    await list(14, 20);
    await drained();
    expect(delivering.received(chatId)).toHaveLength(before + 1);
    expect(shown(chatId).at(-1)).toContain('14 listings');
  });
});

describe('one NFT that is listed again and again', () => {
  it('has one card, with its newest price; its picture stays', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const imageUrl = `${delivering.sandbox.urls.market}/nft-images/1.png`;
    const list = wallet(deliveries, { ...someNft(1, { nftImageUrl: imageUrl }) });
    for (const price of [100, 94, 88, 82]) {
      await list(1, price);
      await drained();
    }
    const posted = delivering.received(chatId);
    expect(posted).toHaveLength(1);
    expect(shown(chatId)).toEqual([expect.stringContaining('Sui Rock #1 listed for 82 SUI')]);
    await list(1, 80);
    await drained();
    expect(shown(chatId)).toEqual([expect.stringContaining('82 SUI')]);
  });

  it('has a price that creeps down 4 % a step shown every second step', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    const seen: string[] = [];
    for (const price of [100, 96, 92.2, 88.5, 85]) {
      await list(1, price);
      await drained();
      seen.push(/for (\S+) SUI/.exec(shown(chatId).join())?.[1] ?? '');
    }
    expect(seen).toEqual(['100', '100', '92.2', '92.2', '85']);
  });

  it('gets a new card, once, after an admin deleted its card, and that is edited from then on', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    await list(1, 100);
    await drained();
    telegram().history(Number(chatId)).length = 0;
    for (const price of [90, 80]) {
      await list(1, price);
      await drained();
    }
    expect(delivering.received(chatId)).toHaveLength(2);
    expect(shown(chatId)).toEqual([expect.stringContaining('80 SUI')]);
  });

  it('gets a new card in the topic that notifications come to now', async () => {
    const { forumId, topics } = telegram().seeded;
    const chatId = await delivering.enlist(forumId, 'supergroup');
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    for (const [price, topic] of [
      [100, topics.sales],
      [50, topics.chatter],
      [30, topics.chatter],
    ] as const) {
      await sql(`update telegram_chats set topic_id = ${topic}, topic_state = 'open'`);
      await list(1, price);
      await drained();
    }
    const cards = telegram()
      .history(forumId)
      .filter(({ from }) => from.id === telegram().bot.id);
    expect(cards.map(({ threadId, text }) => [threadId, /for (\S+ SUI)/.exec(text ?? '')?.[1]])).toEqual([
      [topics.sales, '100 SUI'],
      [topics.chatter, '30 SUI'],
    ]);
    expect(delivering.received(chatId)).toHaveLength(2);
  });

  it('gets a new card in the supergroup that its group became, where the number of the old one means another message', async () => {
    const { id: userId } = telegram().createUser({ firstName: 'Moe' });
    const { id: groupId } = telegram().createChat({ kind: 'group', title: 'Small', members: [{ userId }] });
    await delivering.enlist(groupId, 'group');
    const say = (inChat: number) => telegram().type({ chatId: inChat, userId, text: 'Hello' }).messageId;
    while (say(groupId) < 5);
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    await list(1, 100);
    await drained();
    const cardId = telegram().history(groupId).at(-1)?.messageId ?? 0;
    const { id: newId } = telegram().migrateGroup({ chatId: groupId });
    while (say(newId) < cardId - 1);
    await delivering.reply(newId, { html: 'an answer', imageUrl: null, buttons: [], isSilent: false });
    expect(telegram().history(newId).at(-1)).toMatchObject({ messageId: cardId, text: 'an answer' });
    await list(1, 50);
    await drained();
    expect(shown(String(newId))).toEqual(['an answer', expect.stringContaining('50 SUI')]);
  });

  it('has no second card, and nothing in doubt, after a copy died during an edit', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const list = wallet(deliveries);
    for (const price of [100, 90]) {
      await list(1, price);
      await drained();
    }
    // As left by a copy that was killed between its request and the answer.
    await deliveries.stop();
    await sql("update telegram_messages set state = 'sending' where id = (select max(id) from telegram_messages)");
    deliveries.start();
    await drained();
    expect(delivering.received(chatId)).toHaveLength(1);
    expect(shown(chatId)).toEqual([expect.stringContaining('90 SUI')]);
    expect((await delivering.rows(chatId)).at(-1)).toMatchObject({ state: 'sent', is_doubtful: false });
  });
});
