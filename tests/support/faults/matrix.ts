import type { Feature, Outcome } from './feature.ts';
import { adminTabs, discordStart, discordStatus, login, telegramStart, telegramStatus } from './for-admins.ts';
import { cards, setup } from './for-chats.ts';
import { roleOfHolder, verification, whyCommand } from './for-members.ts';
import { floorQuestion, statusQuestion } from './for-questions.ts';
import { treasury } from './for-visitors.ts';
import type { Kind, Upstream } from './upstreams.ts';

/** Several only where the timing decides between them. */
type Expected = Outcome | readonly Outcome[];
type ByKind = Partial<Record<Kind, Expected>>;

/** The expected outcome of one feature while one upstream fails, with exceptions for some kinds of fault. */
export interface Expectation {
  readonly feature: Feature<never>;
  readonly outcome: Expected;
  readonly but?: ByKind;
  /** Takes less than a second, so it is part of the test suite. */
  readonly isCheap?: true;
  /** Cannot be checked together with other features, because it disturbs them. */
  readonly isAlone?: true;
}

const row = <Memory>(
  feature: Feature<Memory>,
  outcome: Expected,
  more: Pick<Expectation, 'but' | 'isCheap' | 'isAlone'> = {},
): Expectation => ({ feature: feature as Feature<never>, outcome, ...more });
const cheap = { isCheap: true } as const;
const alone = { isAlone: true } as const;

/** Telegram has accepted the message before its answer is spoiled: it arrives, and perhaps again. With 'timeout' it may arrive later. */
const cardTakenFirst: ByKind = {
  timeout: ['waits', 'as ever', 'more than once'],
  truncated: ['as ever', 'more than once'],
  'wrong types': ['as ever', 'more than once'],
  empty: ['as ever', 'more than once'],
  'huge answer': ['as ever', 'more than once'],
  'slow drip': ['as ever', 'more than once'],
};

/** The bot receives the command only if the long poll from before the fault still delivers it; Telegram then accepts its answer. */
const perhapsReceived: readonly Outcome[] = ['waits', 'as ever', 'more than once'];
const statusTakenFirst: ByKind = {
  timeout: perhapsReceived,
  truncated: perhapsReceived,
  'wrong types': perhapsReceived,
  empty: perhapsReceived,
  'huge answer': perhapsReceived,
  'slow drip': perhapsReceived,
};

/** The lock that lets this copy run the bot ends with its connection: perhaps before the command arrives (decision 0034). */
const perhapsWithoutLock: readonly Outcome[] = ['says so', 'says nothing'];

/** First Telegram is asked whether the sender is an admin; if its answer cannot be read, the bot says so. */
const setupTakenFirst: ByKind = {
  timeout: perhapsReceived,
  truncated: perhapsReceived,
  'wrong types': [...perhapsReceived, 'says so'],
  empty: [...perhapsReceived, 'says so'],
  'huge answer': perhapsReceived,
  'slow drip': perhapsReceived,
};

/**
 * A long poll without an answer is normal and ends at its own timeout. So does one whose answer breaks off, because the HTTP client
 * of grammY does not notice that (node-fetch 2 passes on the data, but not the missing end).
 */
const longPoll: ByKind = {
  timeout: 'as ever',
  hang: 'as ever',
  'slow drip': 'as ever',
  truncated: 'as ever',
  // Valid at its end, which may or may not arrive in time.
  'huge answer': ['as ever', 'says what is wrong'],
};

/** Valid at its end, which may or may not arrive in time. */
const hugeForStart: ByKind = { 'huge answer': ['as ever', 'says what is wrong'] };

/** The HTTP client of grammY waits longer for an answer than the admin's call, which says that the bot keeps trying. */
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

/** The answer to the command is accepted and shown before the bot gets anything unreadable. */
const shownFirst: ByKind = {
  'wrong types': 'as ever',
  empty: 'as ever',
  'huge answer': 'as ever',
  'slow drip': 'as ever',
};

/** Which features depend on which upstream, and what users see then: the fault matrix (docs/faults.md). */
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
    row(whyCommand, perhapsWithoutLock),
    row(login, 'says so', cheap),
    row(adminTabs, 'says so', cheap),
  ],
};

/** Groups of features that can be checked together; the groups run one after the other. */
export const groupsOf = (upstream: Upstream): readonly (readonly Expectation[])[] => [
  matrix[upstream].filter(({ isAlone }) => isAlone !== true),
  ...matrix[upstream].filter(({ isAlone }) => isAlone === true).map((expectation) => [expectation]),
];

export const expectedOf = ({ outcome, but }: Expectation, kind: Kind): readonly Outcome[] =>
  [but?.[kind] ?? outcome].flat();
