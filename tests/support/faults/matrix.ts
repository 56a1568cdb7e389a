import type { Feature, Outcome } from './feature.ts';
import { adminTabs, discordStart, discordStatus, login, telegramStart, telegramStatus } from './for-admins.ts';
import { cards, setup } from './for-chats.ts';
import { roleOfHolder, verification, whyCommand } from './for-members.ts';
import { floorQuestion, statusQuestion } from './for-questions.ts';
import { treasury } from './for-visitors.ts';
import type { Kind, Upstream } from './upstreams.ts';

/** Several only where it depends on the moment which of them it is; each is decided by what is seen. */
type Expected = Outcome | readonly Outcome[];
type ByKind = Partial<Record<Kind, Expected>>;

/** What is expected of one feature while one upstream fails; kinds that are seen in another way are named. */
export interface Expectation {
  readonly feature: Feature<never>;
  readonly outcome: Expected;
  readonly but?: ByKind;
  /** Costs less than a second: part of the test suite. */
  readonly isCheap?: true;
  /** Whoever looks at it takes away what others look at. */
  readonly isAlone?: true;
}

const row = <Memory>(
  feature: Feature<Memory>,
  outcome: Expected,
  more: Pick<Expectation, 'but' | 'isCheap' | 'isAlone'> = {},
): Expectation => ({ feature: feature as Feature<never>, outcome, ...more });
const cheap = { isCheap: true } as const;
const alone = { isAlone: true } as const;

/** Telegram has taken the message before its answer is spoiled: it is there, and perhaps again. Late, it is taken when nobody waits any more. */
const cardTakenFirst: ByKind = {
  timeout: ['waits', 'as ever', 'more than once'],
  truncated: ['as ever', 'more than once'],
  'wrong types': ['as ever', 'more than once'],
  empty: ['as ever', 'more than once'],
  'huge answer': ['as ever', 'more than once'],
  'slow drip': ['as ever', 'more than once'],
};

/** Whether the bot hears it at all depends on whether the long poll before the fault still brings it; what it then says is taken. */
const heardPerhaps: readonly Outcome[] = ['waits', 'as ever', 'more than once'];
const statusTakenFirst: ByKind = {
  timeout: heardPerhaps,
  truncated: heardPerhaps,
  'wrong types': heardPerhaps,
  empty: heardPerhaps,
  'huge answer': heardPerhaps,
  'slow drip': heardPerhaps,
};

/** The lock that lets this copy run the bot ends with its connection: perhaps before the command arrives (decision 0034). */
const heardOfBotPerhaps: readonly Outcome[] = ['says so', 'says nothing'];

/** An admin is asked for first: where the answer cannot be read, that is said. */
const setupTakenFirst: ByKind = {
  timeout: heardPerhaps,
  truncated: heardPerhaps,
  'wrong types': [...heardPerhaps, 'says so'],
  empty: [...heardPerhaps, 'says so'],
  'huge answer': heardPerhaps,
  'slow drip': heardPerhaps,
};

/**
 * A long poll that says nothing is nothing unusual: it is given up after its own time. The HTTP client of grammY does not notice that
 * an answer breaks off (node-fetch 2 hands on what came, not the end that did not), so that is the same.
 */
const longPoll: ByKind = {
  timeout: 'as ever',
  hang: 'as ever',
  'slow drip': 'as ever',
  truncated: 'as ever',
  // It is right at its end, which comes in time or does not.
  'huge answer': ['as ever', 'says what is wrong'],
};

/** Right at its end, which comes in time or does not. */
const hugeForStart: ByKind = { 'huge answer': ['as ever', 'says what is wrong'] };

/** The HTTP client of grammY waits longer for an answer than an admin does, who is told that the bot goes on trying. */
const slowToStart: ByKind = {
  ...hugeForStart,
  timeout: 'waits',
  hang: 'waits',
  truncated: 'waits',
  'slow drip': 'waits',
};

/** A role change answers 204 without a body: there is nothing to spoil. */
const nothingToSpoil: ByKind = {
  truncated: 'as ever',
  empty: 'as ever',
  'wrong types': 'as ever',
  'huge answer': 'as ever',
  'slow drip': 'as ever',
};

/** The command was taken and its answer shown before the bot hears anything that it cannot read. */
const shownFirst: ByKind = {
  'wrong types': 'as ever',
  empty: 'as ever',
  'huge answer': 'as ever',
  'slow drip': 'as ever',
};

/** Who depends on what, and what is seen then: the fault matrix (docs/faults.md). */
export const matrix: Readonly<Record<Upstream, readonly Expectation[]>> = {
  Sui: [
    row(treasury, 'last known', cheap),
    row(cards, 'as ever'),
    row(setup, 'as ever'),
    row(verification, 'waits'),
    row(roleOfHolder, 'kept'),
  ],
  marketplace: [
    row(treasury, 'last known', cheap),
    row(cards, 'waits'),
    row(floorQuestion, 'last known'),
    row(setup, 'says so', cheap),
    row(verification, 'as ever'),
    row(roleOfHolder, 'kept'),
  ],
  prices: [row(treasury, 'second source', cheap), row(floorQuestion, 'as ever'), row(cards, 'as ever')],
  'prices fallback': [row(treasury, 'as ever'), row(floorQuestion, 'as ever'), row(cards, 'as ever')],
  'both prices': [row(treasury, 'last known', cheap), row(floorQuestion, 'as ever'), row(cards, 'as ever')],
  Telegram: [
    row(cards, 'waits', { but: cardTakenFirst, isCheap: true }),
    row(statusQuestion, 'waits', { but: statusTakenFirst }),
    row(setup, 'waits', { but: setupTakenFirst }),
    row(telegramStatus, 'says what is wrong', { but: longPoll }),
    row(telegramStart, 'says what is wrong', { but: slowToStart, ...alone }),
  ],
  'Discord REST': [
    row(verification, 'waits', { but: nothingToSpoil }),
    row(roleOfHolder, 'kept'),
    row(whyCommand, 'says nothing', { but: shownFirst, isCheap: true }),
    row(discordStart, 'says what is wrong', { but: hugeForStart, ...alone }),
  ],
  'Discord gateway': [
    row(verification, 'as ever'),
    row(roleOfHolder, 'kept'),
    row(whyCommand, 'says nothing'),
    row(discordStatus, 'says what is wrong', cheap),
    row(discordStart, 'says what is wrong', alone),
  ],
  database: [
    row(treasury, 'last known'),
    row(cards, 'waits'),
    row(statusQuestion, 'waits'),
    row(setup, 'waits'),
    row(verification, 'says so'),
    row(roleOfHolder, 'kept'),
    row(whyCommand, heardOfBotPerhaps),
    row(login, 'says so', cheap),
    row(adminTabs, 'says so', cheap),
  ],
};

/** What may be looked at together, one after the other. */
export const groupsOf = (upstream: Upstream): readonly (readonly Expectation[])[] => [
  matrix[upstream].filter(({ isAlone }) => isAlone !== true),
  ...matrix[upstream].filter(({ isAlone }) => isAlone === true).map((expectation) => [expectation]),
];

export const expectedOf = ({ outcome, but }: Expectation, kind: Kind): readonly Outcome[] =>
  [but?.[kind] ?? outcome].flat();
