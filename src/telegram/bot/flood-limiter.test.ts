import { describe, expect, test } from 'vitest';

import { createFloodLimiter } from './admit-updates.ts';
import { noSuchCommand, notACommand, type UpdateRequest } from './read-request.ts';

let lastId = 0;
const asks = (more: Partial<UpdateRequest> = {}): UpdateRequest => ({
  updateId: (lastId += 1),
  kind: 'query',
  chatId: -100,
  isGroup: true,
  personId: 7,
  author: 'person',
  command: 'floor',
  isPress: false,
  ...more,
});
const adminAction = { kind: 'admin-action', command: 'tracking' } as const;
const setup = { kind: 'admin-action', command: 'setup' } as const;
const press = { kind: 'admin-action', command: null, isPress: true } as const;

interface Flood {
  readonly count: number;
  readonly everyMs: number;
  readonly of: (index: number) => UpdateRequest;
}

function ruleAt() {
  const clock = { ms: 0 };
  return { clock, rule: createFloodLimiter(() => clock.ms) };
}

const admittedOf = ({ count, everyMs, of }: Flood): number => {
  const { clock, rule } = ruleAt();
  return Array.from({ length: count }, (_none, index) => {
    clock.ms = index * everyMs;
    return rule.admits(of(index));
  }).filter(Boolean).length;
};

describe('in a flood,', () => {
  test.each<[string, Flood, number]>([
    ['one person may ask a group eight questions a minute', { count: 100, everyMs: 10, of: () => asks() }, 8],
    ['one person may ask eight more each following minute', { count: 49, everyMs: 2_500, of: () => asks() }, 17],
    [
      'a group may ask ten questions a minute in all',
      { count: 100, everyMs: 10, of: (personId) => asks({ personId }) },
      10,
    ],
    [
      'one person may ask thirty questions a minute across all groups',
      { count: 100, everyMs: 10, of: (index) => asks({ chatId: -index - 1 }) },
      30,
    ],
    [
      'unknown commands in a group are answered once a minute in all',
      { count: 10, everyMs: 10, of: (personId) => asks({ command: noSuchCommand, personId }) },
      1,
    ],
    [
      'unknown commands in private are answered five times a minute',
      { count: 10, everyMs: 10, of: () => asks({ command: notACommand, isGroup: false }) },
      5,
    ],
    ['one person may give ten commands in 20 s', { count: 100, everyMs: 10, of: () => asks(adminAction) }, 10],
    [
      'people are counted apart',
      { count: 10, everyMs: 10, of: (index) => asks({ ...adminAction, personId: index }) },
      10,
    ],
    [
      'one person may ask thirty questions a minute in private',
      { count: 100, everyMs: 10, of: (i) => asks({ isGroup: false, command: `${i}` }) },
      30,
    ],
    [
      'one person may run thirty /setup a minute across all groups, as each queries the marketplace and the chain',
      { count: 200, everyMs: 500, of: (index) => asks({ ...setup, chatId: -index - 1 }) },
      60,
    ],
    [
      'everyone who writes in the name of a group shares thirty /setup a minute',
      {
        count: 100,
        everyMs: 10,
        of: (i) => asks({ ...setup, chatId: -i - 1, personId: -i - 1, author: 'anonymous-admin' }),
      },
      30,
    ],
    ['one person may press forty buttons in 20 s', { count: 100, everyMs: 10, of: () => asks(press) }, 40],
    [
      'changes of chats are never dropped',
      { count: 500, everyMs: 1, of: () => asks({ kind: 'chat-change', command: null }) },
      500,
    ],
  ])('%s', (_what, flood, expected) => {
    expect(admittedOf(flood)).toBe(expected);
  });

  test('a command and a press are admitted, whatever other people send', () => {
    const { rule } = ruleAt();
    for (let index = 0; index < 500; index += 1) rule.admits(asks(index % 2 === 0 ? adminAction : {}));
    expect(rule.admits(asks({ ...adminAction, personId: 1 }))).toBe(true);
    expect(rule.admits(asks({ ...press, personId: 1 }))).toBe(true);
  });
});

describe('a notice to people who are not admins goes to', () => {
  const noticesOf = (count: number, everyMs: number, of: (index: number) => UpdateRequest): number => {
    const { clock, rule } = ruleAt();
    return Array.from({ length: count }, (_none, index) => {
      clock.ms = index * everyMs;
      return rule.notices(of(index));
    }).filter(Boolean).length;
  };
  test.each<[string, number, number]>([
    ['each person once', noticesOf(20, 30_000, () => asks(adminAction)), 1],
    ['several people, once each', noticesOf(3, 1_000, (personId) => asks({ ...adminAction, personId })), 3],
    ['three of forty at once', noticesOf(40, 10, (personId) => asks({ ...adminAction, personId })), 3],
    [
      'three a minute while more keep trying',
      noticesOf(300, 1_000, (personId) => asks({ ...adminAction, personId })),
      15,
    ],
  ])('%s', (_what, noticed, expected) => {
    expect(noticed).toBe(expected);
  });
});
