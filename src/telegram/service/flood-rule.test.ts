import { describe, expect, test } from 'vitest';

import { type Asked, createFloodRule, readAsked } from './flood-rule.ts';

const asks = (more: Partial<Asked> = {}): Asked => ({
  kind: 'fact',
  chatId: -100,
  isGroup: true,
  personId: 7,
  isAnonymousAdmin: false,
  command: 'floor',
  ...more,
});
const wish = { kind: 'wish', command: 'tracking' } as const;

interface Flood {
  readonly count: number;
  readonly everyMs: number;
  readonly of: (index: number) => Asked;
  readonly isAdmin: boolean;
}

const admittedOf = ({ count, everyMs, of, isAdmin }: Flood): number => {
  const rule = createFloodRule();
  return Array.from({ length: count }, (_none, index) => rule.admits(of(index), index * everyMs, isAdmin)).filter(
    Boolean,
  ).length;
};

describe('in a flood', () => {
  test.each<[string, Flood, number]>([
    ['the same fact is told once in 10 s', { count: 140, everyMs: 10, of: () => asks(), isAdmin: false }, 1],
    [
      'however many people ask for it',
      { count: 50, everyMs: 10, of: (index) => asks({ personId: index }), isAdmin: false },
      1,
    ],
    ['and again afterwards', { count: 31, everyMs: 2_000, of: () => asks(), isAdmin: false }, 7],
    ['one person gets four commands in 20 s', { count: 100, everyMs: 10, of: () => asks(wish), isAdmin: false }, 4],
    [
      'others are not counted in',
      { count: 10, everyMs: 10, of: (index) => asks({ ...wish, personId: index }), isAdmin: false },
      10,
    ],
    [
      'nor are other chats',
      { count: 10, everyMs: 10, of: (index) => asks({ chatId: -index - 1 }), isAdmin: false },
      10,
    ],
    [
      'in private nothing is told to others: ten',
      { count: 100, everyMs: 10, of: (i) => asks({ isGroup: false, command: `${i}` }), isAdmin: false },
      10,
    ],
    [
      'presses are cheap: twenty',
      { count: 100, everyMs: 10, of: () => asks({ kind: 'wish', command: null }), isAdmin: false },
      20,
    ],
    ['a known admin is told again', { count: 20, everyMs: 10, of: () => asks(), isAdmin: true }, 20],
    ['and stopped for a flood of their own', { count: 100, everyMs: 10, of: () => asks(wish), isAdmin: true }, 40],
    [
      'an anonymous admin likewise',
      { count: 20, everyMs: 10, of: () => asks({ isAnonymousAdmin: true }), isAdmin: false },
      20,
    ],
    [
      'events are never left out',
      { count: 500, everyMs: 1, of: () => asks({ kind: 'event', command: null }), isAdmin: false },
      500,
    ],
  ])('%s', (_what, flood, expected) => {
    expect(admittedOf(flood)).toBe(expected);
  });

  test('an admin is heard, whatever the others do', () => {
    const rule = createFloodRule();
    for (let index = 0; index < 500; index += 1) rule.admits(asks(index % 2 === 0 ? wish : {}), index, false);
    expect(rule.admits(asks({ ...wish, personId: 1 }), 501, false)).toBe(true);
    expect(rule.admits(asks({ personId: 1 }), 502, true)).toBe(true);
  });
});

test('what could not be handled may come again', () => {
  const rule = createFloodRule();
  expect([rule.admits(asks(), 0, false), rule.admits(asks(), 1, false)]).toEqual([true, false]);
  rule.forget(asks());
  expect(rule.admits(asks(), 2, false)).toBe(true);
});

describe('what an update is', () => {
  const chat = { id: -5, type: 'supergroup', title: 'Rocks' };
  const from = { id: 3, is_bot: false, first_name: 'Ada' };
  const said = (text: string, length = text.length) => ({
    message: { message_id: 1, date: 1, chat, from, text, entities: [{ type: 'bot_command', offset: 0, length }] },
  });
  test.each<[string, object, Partial<Asked>]>([
    ['/floor', said('/floor'), { kind: 'fact', command: 'floor', chatId: -5, isGroup: true, personId: 3 }],
    ['named', said('/Status@rocks_bot now', 17), { kind: 'fact', command: 'status@rocks_bot' }],
    ['/setup', said('/setup 0x1', 6), { kind: 'wish', command: 'setup' }],
    ['a reply', { message: { message_id: 1, date: 1, chat, from, text: '555' } }, { kind: 'wish', command: null }],
    ['a press', { callback_query: { id: '1', from, data: 'x', message: { chat } } }, { kind: 'wish', chatId: -5 }],
    ['a title', { message: { message_id: 1, date: 1, chat, from, new_chat_title: 'New' } }, { kind: 'event' }],
    ['a membership', { my_chat_member: { chat, from } }, { kind: 'event', chatId: -5 }],
  ])('%s', (_what, update, expected) => {
    expect(readAsked({ update_id: 1, ...update })).toMatchObject(expected);
  });
});
