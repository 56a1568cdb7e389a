import { describe, expect, test } from 'vitest';

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
}

function ruleAt() {
  const clock = { ms: 0 };
  return { clock, rule: createFloodRule(() => clock.ms) };
}

const admittedOf = ({ count, everyMs, of }: Flood): number => {
  const { clock, rule } = ruleAt();
  return Array.from({ length: count }, (_none, index) => {
    clock.ms = index * everyMs;
    return rule.admits(of(index));
  }).filter(Boolean).length;
};

describe('in a flood', () => {
  test.each<[string, Flood, number]>([
    ['one person gets eight questions a minute', { count: 100, everyMs: 10, of: () => asks() }, 8],
    ['and again afterwards', { count: 49, everyMs: 2_500, of: () => asks() }, 17],
    ['a group ten, whoever asks', { count: 100, everyMs: 10, of: (personId) => asks({ personId }) }, 10],
    [
      'one person thirty, in however many groups',
      { count: 100, everyMs: 10, of: (index) => asks({ chatId: -index - 1 }) },
      30,
    ],
    [
      'what the bot does not understand is pointed to /help once a minute in a group, whoever wrote it',
      { count: 10, everyMs: 10, of: (personId) => asks({ command: unknownWord, personId }) },
      1,
    ],
    [
      'and five times in private',
      { count: 10, everyMs: 10, of: () => asks({ command: otherWords, isGroup: false }) },
      5,
    ],
    ['one person gets ten commands in 20 s', { count: 100, everyMs: 10, of: () => asks(wish) }, 10],
    ['others are not counted in', { count: 10, everyMs: 10, of: (index) => asks({ ...wish, personId: index }) }, 10],
    [
      'in private nothing is told to others: thirty',
      { count: 100, everyMs: 10, of: (i) => asks({ isGroup: false, command: `${i}` }) },
      30,
    ],
    [
      'each /setup asks marketplace and chain: thirty a minute of one person, in however many groups',
      { count: 200, everyMs: 500, of: (index) => asks({ ...setup, chatId: -index - 1 }) },
      60,
    ],
    [
      'and as many of all who write in the name of a group',
      {
        count: 100,
        everyMs: 10,
        of: (i) => asks({ ...setup, chatId: -i - 1, personId: -i - 1, speaker: 'anonymous-admin' }),
      },
      30,
    ],
    ['presses are cheap: forty', { count: 100, everyMs: 10, of: () => asks(press) }, 40],
    ['events are never left out', { count: 500, everyMs: 1, of: () => asks({ kind: 'event', command: null }) }, 500],
  ])('%s', (_what, flood, expected) => {
    expect(admittedOf(flood)).toBe(expected);
  });

  test('a wish is heard, whatever the others do', () => {
    const { rule } = ruleAt();
    for (let index = 0; index < 500; index += 1) rule.admits(asks(index % 2 === 0 ? wish : {}));
    expect(rule.admits(asks({ ...wish, personId: 1 }))).toBe(true);
    expect(rule.admits(asks({ ...press, personId: 1 }))).toBe(true);
  });
});

describe('who may not is told so', () => {
  const refusedOf = (count: number, everyMs: number, of: (index: number) => Asked): number => {
    const { clock, rule } = ruleAt();
    return Array.from({ length: count }, (_none, index) => {
      clock.ms = index * everyMs;
      return rule.notices(of(index));
    }).filter(Boolean).length;
  };
  test.each<[string, number, number]>([
    ['each once', refusedOf(20, 30_000, () => asks(wish)), 1],
    ['several persons each', refusedOf(3, 1_000, (personId) => asks({ ...wish, personId })), 3],
    ['of forty at once three', refusedOf(40, 10, (personId) => asks({ ...wish, personId })), 3],
    ['and three a minute while it goes on', refusedOf(300, 1_000, (personId) => asks({ ...wish, personId })), 15],
  ])('%s', (_what, told, expected) => {
    expect(told).toBe(expected);
  });
});
