import { describe, expect, test } from 'vitest';

import { enterSupply } from '../commands/texts/setup-texts.ts';
import { noSuchCommand, notACommand, readRequest, type UpdateRequest } from './read-request.ts';

const me = { id: 9, username: 'Rocks_Bot' };
const chat = { id: -5, type: 'supergroup', title: 'Rocks' };
const person = { id: 3, type: 'private', first_name: 'Ada' };
const from = { id: 3, is_bot: false, first_name: 'Ada' };
const posted = (more: object, where: object = chat) => ({
  message: { message_id: 1, date: 1, chat: where, from, ...more },
});
const said = (text: string, more: object = {}, where: object = chat) =>
  posted({ text, entities: [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]!.length }], ...more }, where);
const supplyQuestion = {
  message_id: 7,
  date: 1,
  chat,
  from: { id: me.id, is_bot: true },
  text: enterSupply({ mintedCount: null }).html.replaceAll(/<[^>]*>/g, ''),
};

describe('an update is read as a query, an admin action, a chat change or none of them', () => {
  test.each<[string, object, Partial<UpdateRequest>]>([
    ['/floor', said('/floor'), { kind: 'query', command: 'floor', chatId: -5, isGroup: true, personId: 3 }],
    ['a command that names the bot', said('/Status@rocks_bot now'), { kind: 'query', command: 'status' }],
    ['a command that names another bot', said('/floor@other_bot'), { kind: 'none' }],
    ['an unknown command in a group, which may be for any bot', said('/dance'), { kind: 'none' }],
    ['an unknown command that names the bot', said('/dance@rocks_bot'), { kind: 'query', command: noSuchCommand }],
    ['an unknown command in private', said('/dance', {}, person), { kind: 'query', command: noSuchCommand }],
    ['other text in private', posted({ text: 'hello' }, person), { kind: 'query', command: notACommand }],
    ['a sticker in private', posted({ sticker: { file_id: 'x' } }, person), { kind: 'none' }],
    ['/setup', said('/setup 0x1'), { kind: 'admin-action', command: 'setup' }],
    ['/setup in private, answered with where it belongs', said('/setup 0x1', {}, person), { kind: 'query' }],
    ['/setup that a linked channel posts', said('/setup', { is_automatic_forward: true }), { kind: 'none' }],
    [
      'an anonymous admin',
      said('/remove', { sender_chat: chat }),
      { kind: 'admin-action', author: 'anonymous-admin', personId: -5 },
    ],
    [
      'a reply to the question for the supply',
      posted({ text: '555', reply_to_message: supplyQuestion }),
      { kind: 'admin-action', command: null, isPress: false },
    ],
    [
      'a command as a reply to the question for the supply',
      said('/floor', { reply_to_message: supplyQuestion }),
      { kind: 'query', command: 'floor' },
    ],
    ['any other reply', posted({ text: '555', reply_to_message: { ...supplyQuestion, from } }), { kind: 'none' }],
    ['a text in a group', posted({ text: 'hello' }), { kind: 'none' }],
    ['a sticker in a group', posted({ sticker: { file_id: 'x' } }), { kind: 'none' }],
    ['people who join', posted({ new_chat_members: [from] }), { kind: 'none' }],
    ['an edited command', { edited_message: said('/remove').message }, { kind: 'none' }],
    [
      'a press',
      { callback_query: { id: '1', from, data: 'x', message: { chat } } },
      { kind: 'admin-action', isPress: true },
    ],
    ['a press in private', { callback_query: { id: '1', from, message: { chat: person } } }, { kind: 'query' }],
    ['a new title', posted({ new_chat_title: 'New' }), { kind: 'chat-change' }],
    ['a migration', posted({ migrate_to_chat_id: -6 }), { kind: 'chat-change' }],
    ['a reopened topic', posted({ forum_topic_reopened: {} }), { kind: 'chat-change' }],
    ["the bot's own membership", { my_chat_member: { chat, from } }, { kind: 'chat-change', chatId: -5 }],
    ['a person who blocks the bot', { my_chat_member: { chat: person, from } }, { kind: 'none' }],
    ['the promotion of a member', { chat_member: { chat, from } }, { kind: 'none' }],
  ])('%s', (_what, update, expected) => {
    expect(readRequest({ update_id: 1, ...update }, me)).toMatchObject(expected);
  });
});
