import { describe, expect, test } from 'vitest';
import { botApiScene, refused } from '../../tests/support/bot-api-scene.ts';
import { pngOf, vastPng } from '../console/png.ts';
import type { BotApiReply } from './bot-api-caller.ts';

const { telegram, addressOf, call, group, send } = botApiScene({ telegramLimits: false });

async function sendBytes(bytes: Buffer): Promise<BotApiReply> {
  const form = new FormData();
  form.set('chat_id', String(group()));
  form.set('photo', new Blob([new Uint8Array(bytes)]), 'photo');
  const answer = await fetch(addressOf('sendPhoto'), { method: 'POST', body: form });
  return { status: answer.status, ...((await answer.json()) as Omit<BotApiReply, 'status'>) };
}

describe('what a message may contain', () => {
  test('a text has at most 4096 characters without markup, a caption 1024', async () => {
    expect((await send({ text: `<b>${'x'.repeat(4096)}</b>`, parse_mode: 'HTML' })).ok).toBe(true);
    expect(await send({ text: 'x'.repeat(4097) })).toEqual(refused('Bad Request: message is too long'));
    const photo = 'https://a.example/x.png';
    expect(await call('sendPhoto', { chat_id: group(), photo, caption: 'x'.repeat(1025) })).toEqual(
      refused('Bad Request: message caption is too long'),
    );
  });

  test('an empty text is refused', async () => {
    expect(await send({ text: ' ' })).toEqual(refused('Bad Request: message text is empty'));
    expect(await send({ text: '<b></b>', parse_mode: 'HTML' })).toEqual(refused('Bad Request: text must be non-empty'));
  });

  const buttons = (button: object) => ({ text: 'x', reply_markup: { inline_keyboard: [[button]] } });
  test('a button has at most 64 bytes of data and must do something', async () => {
    expect((await send(buttons({ text: 'a', callback_data: 'x'.repeat(64) }))).ok).toBe(true);
    expect(await send(buttons({ text: 'a', callback_data: 'é'.repeat(33) }))).toEqual(
      refused('Bad Request: BUTTON_DATA_INVALID'),
    );
    expect(await send(buttons({ text: 'a' }))).toEqual(
      refused('Bad Request: text buttons are unallowed in the inline keyboard'),
    );
    expect(await send(buttons({ text: 'a', url: 'nowhere' }))).toEqual(
      refused("Bad Request: inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL"),
    );
  });

  test('a photo must be an image: an SVG, a truncated, a huge, a narrow and an empty file are refused', async () => {
    expect((await sendBytes(pngOf(10, 10))).ok).toBe(true);
    const whole = pngOf(300, 300);
    const failed = refused('Bad Request: IMAGE_PROCESS_FAILED');
    expect(await sendBytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual(failed);
    expect(await sendBytes(whole.subarray(0, whole.length - 20))).toEqual(failed);
    expect(await sendBytes(vastPng())).toEqual(refused('Bad Request: PHOTO_INVALID_DIMENSIONS'));
    expect(await sendBytes(pngOf(210, 10))).toEqual(refused('Bad Request: PHOTO_INVALID_DIMENSIONS'));
    expect(await sendBytes(Buffer.alloc(0))).toEqual(refused('Bad Request: file must be non-empty'));
    expect(await sendBytes(Buffer.concat([pngOf(10, 10), Buffer.alloc(10_000_000)]))).toEqual(
      refused('Bad Request: PHOTO_SAVE_FILE_INVALID'),
    );
  });

  test('a photo by URL cannot be fetched, and an unknown file id is refused', async () => {
    expect(await call('sendPhoto', { chat_id: group(), photo: 'https://a.example/x.png' })).toEqual(
      refused('Bad Request: failed to get HTTP URL content'),
    );
    expect(await call('sendPhoto', { chat_id: group(), photo: 'AgACAgQAAxnever' })).toEqual(
      refused('Bad Request: wrong file identifier/HTTP URL specified'),
    );
    expect(await call('sendPhoto', { chat_id: group() })).toEqual(
      refused('Bad Request: there is no photo in the request'),
    );
  });
});

describe('where a message may be sent', () => {
  test('an unknown chat, and a user who never pressed Start, are not found', async () => {
    const stranger = telegram().createUser({ firstName: 'Sam' });
    for (const chat_id of [-1001, stranger.id]) {
      expect(await send({ chat_id, text: 'x' })).toEqual(refused('Bad Request: chat not found'));
    }
    telegram().type({ chatId: stranger.id, userId: stranger.id, text: '/start' });
    expect((await send({ chat_id: stranger.id, text: 'x' })).ok).toBe(true);
  });

  test('a kicked, blocked or departed bot is refused with that reason', async () => {
    const { forumId, adminId } = telegram().seeded;
    telegram().setBot({ chatId: group(), status: 'kicked' });
    expect(await send({ text: 'x' })).toEqual(refused('Forbidden: bot was kicked from the group chat', 403));
    telegram().setBot({ chatId: forumId, status: 'kicked' });
    const toForum = { chat_id: forumId, text: 'x' };
    expect(await send(toForum)).toEqual(refused('Forbidden: bot was kicked from the supergroup chat', 403));
    telegram().setBot({ chatId: forumId, status: 'left' });
    expect(await send(toForum)).toEqual(refused('Forbidden: bot is not a member of the supergroup chat', 403));
    telegram().setBlocked({ userId: adminId, isBlocked: true });
    expect(await send({ chat_id: adminId, text: 'x' })).toEqual(refused('Forbidden: bot was blocked by the user', 403));
  });

  test('text and photos need separate rights; an administrator has both', async () => {
    telegram().setPermissions({ chatId: group(), permissions: { can_send_photos: false } });
    expect((await send({ text: 'x' })).ok).toBe(true);
    expect(await sendBytes(pngOf(9, 9))).toEqual(refused('Bad Request: not enough rights to send photos to the chat'));
    telegram().setPermissions({ chatId: group(), permissions: { can_send_messages: false } });
    expect(await send({ text: 'x' })).toEqual(
      refused('Bad Request: not enough rights to send text messages to the chat'),
    );
    telegram().setBot({ chatId: group(), status: 'administrator' });
    expect((await send({ text: 'x' })).ok).toBe(true);
    telegram().setBot({ chatId: group(), status: 'restricted', permissions: { can_send_messages: false } });
    expect((await send({ text: 'x' })).status).toBe(400);
  });

  test('a topic accepts messages until it is closed or deleted', async () => {
    const { forumId, topics } = telegram().seeded;
    const inTopic = { chat_id: forumId, text: 'x', message_thread_id: topics.sales };
    expect((await send(inTopic)).result).toMatchObject({ message_thread_id: topics.sales, is_topic_message: true });
    telegram().setTopic({ chatId: forumId, threadId: topics.sales, isClosed: true });
    expect(await send(inTopic)).toEqual(refused('Bad Request: TOPIC_CLOSED'));
    telegram().setTopic({ chatId: forumId, threadId: topics.sales, isDeleted: true });
    expect(await send(inTopic)).toEqual(refused('Bad Request: message thread not found'));
    expect(await send({ text: 'x', message_thread_id: 1 })).toEqual(refused('Bad Request: message thread not found'));
  });

  test('a group that became a supergroup answers with its new id', async () => {
    const { id } = telegram().migrateGroup({ chatId: group() });
    expect(await send({ text: 'x' })).toEqual({
      ...refused('Bad Request: group chat was upgraded to a supergroup chat'),
      parameters: { migrate_to_chat_id: id },
    });
    expect((await send({ chat_id: id, text: 'x' })).ok).toBe(true);
  });
});

describe('after a message is sent', () => {
  test('an edit that changes nothing is refused, others are recorded', async () => {
    const { result } = await send({ text: 'one' });
    const { message_id } = result as { message_id: number };
    const edit = (text: string) => call('editMessageText', { chat_id: group(), message_id, text });
    expect((await edit('one')).description).toMatch(/^Bad Request: message is not modified: specified new message/);
    expect((await edit('two')).result).toMatchObject({ text: 'two', edit_date: expect.any(Number) as number });
    expect(telegram().history(group())[0]).toMatchObject({ text: 'two', edits: [{ text: 'one' }] });
    expect((await call('editMessageText', { chat_id: group(), message_id: 99, text: 'x' })).description).toBe(
      'Bad Request: message to edit not found',
    );
    expect((await call('deleteMessage', { chat_id: group(), message_id })).result).toBe(true);
    expect((await call('deleteMessage', { chat_id: group(), message_id })).description).toBe(
      'Bad Request: message to delete not found',
    );
  });

  test('a callback is answered once', async () => {
    const keyboard = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
    const { result } = await send({ text: 'x', reply_markup: keyboard });
    const { message_id: messageId } = result as { message_id: number };
    const id = telegram().press({ chatId: group(), messageId, userId: telegram().seeded.memberId, button: 'go' });
    expect((await call('answerCallbackQuery', { callback_query_id: id, text: 'ok' })).result).toBe(true);
    expect((await call('answerCallbackQuery', { callback_query_id: id })).description).toBe(
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    );
  });

  test('every accepted message is recorded with its hash and links, and drained once', async () => {
    await send({ text: `<a href="https://scan.example/tx/1">tx</a> ${'y'.repeat(300)}`, parse_mode: 'HTML' });
    await send({ text: '<b>broken', parse_mode: 'HTML' });
    const [accepted, ...others] = telegram().drainAccepted();
    expect(others).toEqual([]);
    expect(accepted).toMatchObject({ chatId: group(), method: 'sendMessage', links: ['https://scan.example/tx/1'] });
    expect(accepted!.text).toHaveLength(200);
    expect(accepted!.sourceHash).toMatch(/^[0-9a-f]{16}$/);
    expect(telegram().accepted()).toEqual([]);
    expect(telegram().counters()).toMatchObject({ acceptedMessages: 1, refusals: { 400: 1 } });
  });
});

test('refuseNext refuses both attempts at the next message, then the chat works as before', async () => {
  telegram().refuseNext({ chatId: group() });
  for (const text of ['<b>one</b>', 'one']) {
    expect(await send({ text, parse_mode: 'HTML' })).toEqual(refused('Bad Request: message is too long'));
  }
  expect((await send({ text: 'one' })).ok).toBe(true);
  expect(telegram().counters().overLimit).toMatchObject({ chat: 0 });
});
