import { describe, expect, test } from 'vitest';

import type { Role } from './group-admins.ts';
import { createFloodRule } from './admit-updates.ts';
import { type Asked, otherWords, unknownWord } from './read-asked.ts';

const asks = (more: Partial<Asked> = {}): Asked => ({
  kind: 'question',
  chatId: -100,
  isGroup: true,
  personId: 7,
  speaker: 'person',
  command: 'floor',
  isPress: false,
  ...more,
});
const wish = { kind: 'wish', command: 'tracking' } as const;
const setup = { kind: 'wish', command: 'setup' } as const;
const press = { kind: 'wish', command: null, isPress: true } as const;

interface Flood {
  readonly count: number;
  readonly everyMs: number;
  readonly of: (index: number) => Asked;
  readonly role: Role;
}

const admittedOf = ({ count, everyMs, of, role }: Flood): number => {
  const rule = createFloodRule();
  return Array.from({ length: count }, (_none, index) => rule.waitMs(of(index), index * everyMs, role)).filter(
    (waitMs) => waitMs === 0,
  ).length;
};

describe('in a flood', () => {
  test.each<[string, Flood, number]>([
    ['one person gets twelve questions a minute', { count: 100, everyMs: 10, of: () => asks(), role: 'member' }, 12],
    ['and again afterwards', { count: 49, everyMs: 2_500, of: () => asks(), role: 'member' }, 25],
    ["an admin's questions are bounded like others'", { count: 100, everyMs: 10, of: () => asks(), role: 'admin' }, 12],
    [
      'what the bot does not understand is pointed to /help once a minute in a group, whoever wrote it',
      { count: 10, everyMs: 10, of: (personId) => asks({ command: unknownWord, personId }), role: 'admin' },
      1,
    ],
    [
      'and five times in private',
      { count: 10, everyMs: 10, of: () => asks({ command: otherWords, isGroup: false }), role: 'unknown' },
      5,
    ],
    ['one person gets four commands in 20 s', { count: 100, everyMs: 10, of: () => asks(wish), role: 'member' }, 4],
    ['an admin ten', { count: 100, everyMs: 10, of: () => asks(wish), role: 'admin' }, 10],
    ['and so does who may be one', { count: 100, everyMs: 10, of: () => asks(wish), role: 'unknown' }, 10],
    [
      'others are not counted in',
      { count: 10, everyMs: 10, of: (index) => asks({ ...wish, personId: index }), role: 'member' },
      10,
    ],
    [
      'nor are other chats',
      { count: 10, everyMs: 10, of: (index) => asks({ chatId: -index - 1 }), role: 'member' },
      10,
    ],
    [
      'in private nothing is told to others: thirty',
      { count: 100, everyMs: 10, of: (i) => asks({ isGroup: false, command: `${i}` }), role: 'unknown' },
      30,
    ],
    [
      'each /setup asks marketplace and chain: thirty a minute of one person, in however many groups',
      { count: 200, everyMs: 500, of: (index) => asks({ ...setup, chatId: -index - 1 }), role: 'admin' },
      60,
    ],
    [
      'and as many of all who write in the name of a group',
      {
        count: 100,
        everyMs: 10,
        of: (i) => asks({ ...setup, chatId: -i - 1, personId: -i - 1, speaker: 'anonymous-admin' }),
        role: 'admin',
      },
      30,
    ],
    ['presses are cheap: twenty', { count: 100, everyMs: 10, of: () => asks(press), role: 'member' }, 20],
    ['an admin presses forty times', { count: 100, everyMs: 10, of: () => asks(press), role: 'admin' }, 40],
    [
      'events are never left out',
      { count: 500, everyMs: 1, of: () => asks({ kind: 'event', command: null }), role: 'unknown' },
      500,
    ],
  ])('%s', (_what, flood, expected) => {
    expect(admittedOf(flood)).toBe(expected);
  });

  test('a wish is heard, whatever the others do', () => {
    const rule = createFloodRule();
    for (let index = 0; index < 500; index += 1) rule.waitMs(asks(index % 2 === 0 ? wish : {}), index, 'member');
    expect(rule.waitMs(asks({ ...wish, personId: 1 }), 501, 'member')).toBe(0);
    expect(rule.waitMs(asks({ ...press, personId: 1 }), 502, 'unknown')).toBe(0);
  });
});

describe('who may not is told so', () => {
  const refusedOf = (count: number, everyMs: number, of: (index: number) => Asked): number => {
    const rule = createFloodRule();
    return Array.from({ length: count }, (_none, index) => rule.refuses(of(index), index * everyMs)).filter(Boolean)
      .length;
  };
  test.each<[string, number, number]>([
    ['each once', refusedOf(20, 30_000, () => asks(wish)), 1],
    ['several persons each', refusedOf(3, 1_000, (personId) => asks({ ...wish, personId })), 3],
    ['of forty at once three', refusedOf(40, 10, (personId) => asks({ ...wish, personId })), 3],
    ['and then one a minute while it goes on', refusedOf(300, 1_000, (personId) => asks({ ...wish, personId })), 7],
    ['over every button that they press', refusedOf(20, 10, () => asks(press)), 20],
  ])('%s', (_what, told, expected) => {
    expect(told).toBe(expected);
  });
});

test('what could not be handled may come again, and who is over the share is told how long', () => {
  const rule = createFloodRule();
  const waits = Array.from({ length: 13 }, (_none, index) => rule.waitMs(asks(), index, 'member'));
  // The first of them counts for a minute.
  expect(waits).toEqual([...Array<number>(12).fill(0), 60_000 - 12]);
  rule.forget(asks());
  expect(rule.waitMs(asks(), 5, 'member')).toBe(0);
  for (let times = 0; times < 40; times += 1) {
    expect(rule.waitMs(asks({ ...setup, personId: 8 }), times, 'admin')).toBe(0);
    rule.forget(asks({ ...setup, personId: 8 }));
  }
});
