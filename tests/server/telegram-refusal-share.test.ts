import { expect, test } from 'vitest';

import { minuteUsed } from '../support/telegram-world.ts';
import { telegramGroupScene } from '../support/telegram-group-scene.ts';

const { group, type, reply, press, said, setup, rocks, handled, ofBot } = telegramGroupScene();

/** Cards wait, and within this minute there were as many replies as anybody's questions may cost a group meanwhile. */
const questionsUsedUp = async (): Promise<void> => {
  await minuteUsed(group.world, group.chatId, { replies: 5, cards: 12, cardWaits: true });
};

test("'admins only' takes no more of a group's limit than a question; an admin's command is answered all the same", async () => {
  const greeted = type('/help', group.member);
  await said('/setup', greeted);
  await questionsUsedUp();
  const refused = type('/tracking', group.member);
  await handled();
  expect(ofBot().filter(({ messageId }) => messageId > refused)).toEqual([]);
  await said('No collection is configured', type('/tracking'));
});

test("nor does it when somebody answers a setup's question for the supply", async () => {
  press(await said('maximum supply', setup(rocks())), 'Enter another');
  const question = await said('Reply to this message');
  await questionsUsedUp();
  const refused = reply(question, '700', group.member);
  await handled();
  expect(ofBot().filter(({ messageId }) => messageId > refused)).toEqual([]);
});

test('it is said where there is room for a question', async () => {
  await said('for group admins', type('/tracking', group.member));
});
