import { describe, expect, test } from 'vitest';

import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { saidIn } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

/** Rulings R4: a command in a forum topic pins notifications to that topic. */
const { group, telegram, rocks, handled, setUpInTopic, chatRow } = telegramGroupScene();

const forum = () => telegram().seeded.forumId;
const sales = (): number => telegram().seeded.topics.sales;
const type = (text: string, threadId?: number): number =>
  telegram().type({ chatId: forum(), userId: telegram().seeded.adminId, text, ...(threadId && { threadId }) })
    .messageId;
const said = (words: RegExp | string, afterId: number) => saidIn(group.world, forum(), words, afterId);
const last = (): number => telegram().history(forum()).at(-1)?.messageId ?? 0;
const mint = async () => {
  const afterId = last();
  const [minted] = group.world.sandbox.world.burst({ collection: 'rocks', kind: 'mint', count: 1 });
  return said(`#${minted!.number}`, afterId);
};
const shownIn = (messageId: number) =>
  telegram()
    .history(forum())
    .find((each) => each.messageId === messageId)?.text;
const state = async (): Promise<unknown> => (await chatRow(forum()))?.['topic_state'];
const listed = async () => {
  const { body } = await group.copy.call('GET', '/api/telegram/configs');
  return (body.data as { chatId: string; chatState: string; trouble: string | null }[]).find(
    ({ chatId }) => chatId === String(forum()),
  );
};

describe('the topic of the notifications', () => {
  test('is that of /setup; while it is closed they go to the group itself, which gets one notice; reopened, they go back', async () => {
    await setUpInTopic();
    await handled();
    expect((await mint()).threadId).toBe(sales());

    const closedAt = last();
    telegram().setTopic({ chatId: forum(), threadId: sales(), isClosed: true });
    expect((await mint()).threadId).toBeNull();
    const notice = await said('was closed. They come here until it is reopened', closedAt);
    expect(notice.threadId).toBeNull();
    expect((await mint()).threadId).toBeNull();
    expect(await listed()).toMatchObject({
      chatState: 'trouble',
      trouble: expect.stringMatching(/^The topic .* is closed/),
    });
    const status = await said('because their own topic is closed', type('/status'));
    expect(status.entities.map(({ url }) => url)).toContain(
      `https://t.me/c/${String(forum()).replace('-100', '')}/${sales()}`,
    );
    const notices = telegram()
      .history(forum())
      .filter(({ text }) => text?.includes('was closed') === true);
    expect(notices).toHaveLength(1);

    telegram().setTopic({ chatId: forum(), threadId: sales(), isClosed: false });
    await until('the topic is open', async () => (await state()) === 'open');
    expect((await mint()).threadId).toBe(sales());
    expect(await listed()).toMatchObject({ chatState: 'ok', trouble: null });
    const [closed, reopened] = (await group.world.audited()).slice(-2);
    expect(closed).toMatchObject({ action: 'telegram-topic-closed', actor: 'Telegram' });
    expect(reopened).toMatchObject({ action: 'telegram-topic-reopened', before: closed?.after, after: closed?.before });
  });

  test('is that of the last /tracking sent in a topic, which says so once; sent elsewhere, /tracking moves nothing', async () => {
    const { threadId } = telegram().createTopic({ chatId: forum(), name: 'news' });
    const moved = await said('From now on notifications come to this topic', type('/tracking', threadId));
    expect(moved.threadId).toBe(threadId);
    expect((await mint()).threadId).toBe(threadId);
    const entry = (await group.world.audited()).at(-1);
    expect(entry).toMatchObject({
      action: 'telegram-topic-pinned',
      before: { notificationsTo: `topic ${sales()}` },
      after: { notificationsTo: `topic ${threadId}` },
    });
    for (const place of [threadId, undefined]) {
      const menu = await said('What gets posted about', type('/tracking', place));
      expect(menu.text).not.toContain('From now on');
    }
    expect((await mint()).threadId).toBe(threadId);
  });

  test.each([
    ['General is reopened', () => telegram().setGeneral({ chatId: forum(), isClosed: false })],
    ['it is reopened', (threadId: number) => telegram().setTopic({ chatId: forum(), threadId, isClosed: false })],
    ['/tracking is sent in another', () => type('/tracking', sales())],
  ])('while it and General are closed they wait, and go on as soon as %s', async (_when, end) => {
    telegram().setGeneral({ chatId: forum(), isClosed: true });
    const threadId = Number((await chatRow(forum()))?.['topic_id']);
    const afterId = last();
    telegram().setTopic({ chatId: forum(), threadId, isClosed: true });
    const [minted] = group.world.sandbox.world.burst({ collection: 'rocks', kind: 'mint', count: 1 });
    await until('it was tried', async () => (await chatRow(forum()))?.['trouble'] !== null);
    const trouble = expect.stringContaining(
      'The General topic is closed; reopen it, or send /tracking in another topic',
    );
    expect(await listed()).toMatchObject({ trouble });
    end(threadId);
    const card = await said(`#${minted!.number}`, afterId);
    const { topic_id: topicId, topic_state: topicState, trouble: left } = (await chatRow(forum())) ?? {};
    expect(card.threadId).toBe(topicState === 'open' ? Number(topicId) : null);
    expect(left).toBeNull();
    telegram().setGeneral({ chatId: forum(), isClosed: false });
    telegram().setTopic({ chatId: forum(), threadId, isClosed: false });
    await until('both are open', async () => (await state()) === 'open');
  });

  test('stays when /setup of the same collection is sent outside a topic', async () => {
    const topicId = (await chatRow(forum()))?.['topic_id'];
    const asked = await said('already follows Sui Rocks', type(`/setup ${rocks()}`));
    telegram().press({
      chatId: forum(),
      messageId: asked.messageId,
      userId: telegram().seeded.adminId,
      button: 'Use 555',
    });
    await handled();
    expect(shownIn(asked.messageId)).toContain('come to their own topic');
    expect((await chatRow(forum()))?.['topic_id']).toBe(topicId);
    expect(topicId).not.toBeNull();
  });
});
