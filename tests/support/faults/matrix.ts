import type { Feature, Outcome } from './feature.ts';
import { adminTabs, discordStatus, login, telegramStatus } from './for-admins.ts';
import { cards, floorQuestion, setup, statusQuestion } from './for-chats.ts';
import { roleOfHolder, verification, whyCommand } from './for-members.ts';
import { collectionFacts, treasury } from './for-visitors.ts';
import type { Kind, Upstream } from './upstreams.ts';

/** What is expected of one feature while one upstream fails; kinds that are seen in another way are named. */
export interface Expectation {
  readonly feature: Feature<never>;
  readonly outcome: Outcome;
  readonly but?: Partial<Record<Kind, Outcome>>;
  /** Costs less than a second: part of the test suite. */
  readonly isCheap?: true;
}

const row = <Memory>(
  feature: Feature<Memory>,
  outcome: Outcome,
  more: Pick<Expectation, 'but' | 'isCheap'> = {},
): Expectation => ({ feature: feature as Feature<never>, outcome, ...more });
const cheap = { isCheap: true } as const;

/** Telegram has taken the message before its answer is spoiled. */
const perhapsTwice: Partial<Record<Kind, Outcome>> = {
  timeout: 'waits, perhaps twice',
  truncated: 'waits, perhaps twice',
  'wrong types': 'waits, perhaps twice',
  empty: 'waits, perhaps twice',
  'huge answer': 'waits, perhaps twice',
  'slow drip': 'waits, perhaps twice',
};

/**
 * A long poll that says nothing is nothing unusual: it is given up after its own time. The HTTP client of grammY does not notice that
 * an answer breaks off (node-fetch 2 hands on what came, not the end that did not), so that is the same.
 */
const longPoll: Partial<Record<Kind, Outcome>> = {
  timeout: 'as ever',
  hang: 'as ever',
  'slow drip': 'as ever',
  truncated: 'as ever',
  'huge answer': 'as ever, or told',
};

/** A role change answers 204 without a body: there is nothing to spoil. */
const nothingToSpoil: Partial<Record<Kind, Outcome>> = {
  truncated: 'as ever',
  empty: 'as ever',
  'wrong types': 'as ever',
  'huge answer': 'as ever',
  'slow drip': 'as ever',
};

/** The command was taken and its answer shown before the bot hears anything that it cannot read. */
const shownFirst: Partial<Record<Kind, Outcome>> = {
  'wrong types': 'as ever',
  empty: 'as ever',
  'huge answer': 'as ever',
  'slow drip': 'as ever',
};

/** Who depends on what, and what is seen then: the fault matrix (docs/faults.md). */
export const matrix: Readonly<Record<Upstream, readonly Expectation[]>> = {
  Sui: [
    row(treasury, 'last known', cheap),
    row(collectionFacts, 'as ever'),
    row(cards, 'as ever'),
    row(setup, 'as ever'),
    row(verification, 'waits'),
    row(roleOfHolder, 'kept'),
  ],
  marketplace: [
    row(treasury, 'last known', cheap),
    row(collectionFacts, 'last known', cheap),
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
    row(cards, 'waits', { but: perhapsTwice, isCheap: true }),
    row(statusQuestion, 'late or left out'),
    row(setup, 'waits'),
    row(telegramStatus, 'says what is wrong', { but: longPoll }),
  ],
  'Discord REST': [
    row(verification, 'waits', { but: nothingToSpoil }),
    row(roleOfHolder, 'kept'),
    row(whyCommand, 'says nothing', { but: shownFirst, isCheap: true }),
  ],
  'Discord gateway': [
    row(verification, 'as ever'),
    row(roleOfHolder, 'kept'),
    row(whyCommand, 'says nothing'),
    row(discordStatus, 'says what is wrong', cheap),
  ],
  database: [
    row(treasury, 'last known'),
    row(collectionFacts, 'last known', cheap),
    row(cards, 'waits'),
    row(statusQuestion, 'says nothing'),
    row(setup, 'waits'),
    row(verification, 'says so'),
    row(roleOfHolder, 'kept'),
    row(whyCommand, 'says so'),
    row(login, 'says so', cheap),
    row(adminTabs, 'says so', cheap),
  ],
};

export const expectedOf = ({ outcome, but }: Expectation, kind: Kind): Outcome => but?.[kind] ?? outcome;
