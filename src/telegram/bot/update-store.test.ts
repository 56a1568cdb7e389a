import { describe, expect, test } from 'vitest';
import { keptUpdate } from './update-jobs.ts';

const chat = { id: -5, type: 'supergroup', title: 'Rock Group', username: 'rockgroup' };
const cleo = { id: 3, is_bot: false, first_name: 'Cleo', last_name: 'Stone', username: 'cleo', language_code: 'de' };
const bot = { id: 7, is_bot: true, first_name: 'Rocks', username: 'rocks_bot' };
const kept = (message: object): unknown =>
  JSON.parse(keptUpdate({ update_id: 1, message: { message_id: 9, date: 1, chat, from: cleo, ...message } }));

describe('an update that waits in the database', () => {
  test('knows who and where by number, and what was asked of the bot', () => {
    expect(kept({ text: '/setup 0x5' })).toEqual({
      update_id: 1,
      message: {
        message_id: 9,
        date: 1,
        chat: { id: -5, type: 'supergroup', title: 'Rock Group' },
        from: { id: 3, is_bot: false },
        text: '/setup 0x5',
      },
    });
  });

  test("knows the bot's question that is answered, and nothing of what a person wrote", () => {
    const question = { message_id: 8, date: 1, chat, from: bot, text: 'How many?' };
    expect(kept({ text: '555', reply_to_message: question })).toMatchObject({
      message: { reply_to_message: { from: { id: 7, is_bot: true }, text: 'How many?' } },
    });
    const secret = { message_id: 8, date: 1, chat, from: cleo, text: 'I sold my house' };
    const answer = kept({
      text: '/tracking',
      reply_to_message: secret,
      quote: { text: 'my house' },
      forward_origin: { sender_user_name: 'Moe' },
    });
    expect(JSON.stringify(answer)).not.toMatch(/house|Moe|Cleo/);
    expect(answer).toMatchObject({ message: { reply_to_message: { message_id: 8, chat: { id: -5 } } } });
  });
});
