import { type ReadyAnswer, type LazyAnswer, createLazyAnswer, makeReadyJsonAside } from '../http/ready/ready-answer.ts';
import { type HistorySpan, historySpans } from './contract.ts';
import { historyAnswer, type KnownPast, readKnownPast, trendAnswer, type ValueAnswerDeps } from './value-answers.ts';

/** GET /api/treasury/history, one ready answer for each span, and GET /api/treasury/trend. */
export interface TreasuryHistory {
  /** undefined: it is not made yet. */
  ready(days: HistorySpan): ReadyAnswer | undefined;
  /** Throws what the database throws when no points were read yet. */
  body(days: HistorySpan): Promise<ReadyAnswer>;
  readonly trend: LazyAnswer;
  /** A point may have changed: ask the database again next time. */
  forget(): void;
}

/** While nothing new is read a span still moves on: points are hourly, so an hour is as exact as they are. */
const keptMs = 3_600_000;

/** Read, written out and compressed once for each new snapshot however many visitors ask. */
export function createTreasuryHistory(deps: ValueAnswerDeps): TreasuryHistory {
  const { clock } = deps;
  let fresh: Promise<KnownPast> | null = null;
  let lastGood: KnownPast | null = null;
  let readAtMs = 0;

  const load = async (): Promise<KnownPast> => {
    lastGood = await readKnownPast(deps);
    return lastGood;
  };

  const known = async (): Promise<KnownPast> => {
    if (fresh === null) readAtMs = clock.now().getTime();
    fresh ??= load();
    try {
      return await fresh;
    } catch (error) {
      fresh = null;
      if (lastGood === null) throw error;
      return lastGood;
    }
  };

  const bodies = Object.fromEntries(
    historySpans.map((days) => [
      days,
      createLazyAnswer(async () => makeReadyJsonAside(historyAnswer(await known(), days, clock.now()))),
    ]),
  ) as Readonly<Record<HistorySpan, LazyAnswer>>;
  const trend = createLazyAnswer(async () => makeReadyJsonAside(trendAnswer(await known(), deps)));

  const forget = (): void => {
    fresh = null;
    for (const answer of [...Object.values(bodies), trend]) answer.forget();
  };

  const upToDate = (answer: LazyAnswer): LazyAnswer => {
    if (clock.now().getTime() - readAtMs > keptMs) forget();
    return answer;
  };

  return {
    ready: (days) => upToDate(bodies[days]).ready(),
    body: (days) => upToDate(bodies[days]).whenReady(),
    trend: {
      ready: () => upToDate(trend).ready(),
      whenReady: () => upToDate(trend).whenReady(),
      forget: () => trend.forget(),
    },
    forget,
  };
}
