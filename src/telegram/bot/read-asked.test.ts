import { describe, expect, test } from 'vitest';

import { enterSupply } from '../commands/texts/setup-texts.ts';
import { type Asked, otherWords, readAsked, unknownWord } from './read-asked.ts';

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

describe('an update is read as a question, wish, event or nothing', () => {
  test.each<[string, object, Partial<Asked>]>([
    ['/floor', said('/floor'), { kind: 'question', command: 'floor', chatId: -5, isGroup: true, personId: 3 }],
    ['a command that names the bot', said('/Status@rocks_bot now'), { kind: 'question', command: 'status' }],
    ['a command that names another bot', said('/floor@other_bot'), { kind: 'nothing' }],
    ['an unknown command in a group, which may be for any bot', said('/dance'), { kind: 'nothing' }],
    ['an unknown command that names the bot', said('/dance@rocks_bot'), { kind: 'question', command: unknownWord }],
    ['an unknown command in private', said('/dance', {}, person), { kind: 'question', command: unknownWord }],
    ['other text in private', posted({ text: 'hello' }, person), { kind: 'question', command: otherWords }],
    ['a sticker in private', posted({ sticker: { file_id: 'x' } }, person), { kind: 'nothing' }],
    ['/setup', said('/setup 0x1'), { kind: 'wish', command: 'setup' }],
    ['/setup in private, answered with where it belongs', said('/setup 0x1', {}, person), { kind: 'question' }],
    ['/setup that a linked channel posts', said('/setup', { is_automatic_forward: true }), { kind: 'nothing' }],
    [
      'an anonymous admin',
      said('/remove', { sender_chat: chat }),
      { kind: 'wish', author: 'anonymous-admin', personId: -5 },
    ],
    [
      'a reply to the question for the supply',
      posted({ text: '555', reply_to_message: supplyQuestion }),
      { kind: 'wish', command: null, isPress: false },
    ],
    [
      'a command as a reply to the question for the supply',
      said('/floor', { reply_to_message: supplyQuestion }),
      { kind: 'question', command: 'floor' },
    ],
    ['any other reply', posted({ text: '555', reply_to_message: { ...supplyQuestion, from } }), { kind: 'nothing' }],
    ['a text in a group', posted({ text: 'hello' }), { kind: 'nothing' }],
    ['a sticker in a group', posted({ sticker: { file_id: 'x' } }), { kind: 'nothing' }],
    ['people who join', posted({ new_chat_members: [from] }), { kind: 'nothing' }],
    ['an edited command', { edited_message: said('/remove').message }, { kind: 'nothing' }],
    ['a press', { callback_query: { id: '1', from, data: 'x', message: { chat } } }, { kind: 'wish', isPress: true }],
    ['a press in private', { callback_query: { id: '1', from, message: { chat: person } } }, { kind: 'question' }],
    ['a new title', posted({ new_chat_title: 'New' }), { kind: 'event' }],
    ['a migration', posted({ migrate_to_chat_id: -6 }), { kind: 'event' }],
    ['a closed topic', posted({ forum_topic_closed: {} }), { kind: 'event' }],
    ["the bot's own membership", { my_chat_member: { chat, from } }, { kind: 'event', chatId: -5 }],
    ['a person who blocks the bot', { my_chat_member: { chat: person, from } }, { kind: 'nothing' }],
    ['the promotion of a member', { chat_member: { chat, from } }, { kind: 'nothing' }],
  ])('%s', (_what, update, expected) => {
    expect(readAsked({ update_id: 1, ...update }, me)).toMatchObject(expected);
  });
});
