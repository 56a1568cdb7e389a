import { setTimeout as delay } from 'node:timers/promises';

import { onTheirWayMax } from '../src/telegram/send/message.ts';
import { until } from '../tests/support/until.ts';
import { atLeast, atMost, type Row } from './row.ts';
import { type BenchOutbox, compareWithGiven, startOutbox } from './telegram-outbox.ts';

/** `npm run bench telegram-deliveries`; with `--quick` 1,500 messages and 20 kills instead of 10,000 and 200. */
const isQuick = process.argv.includes('--quick');
const groupCount = isQuick ? 500 : 1_000;
const perGroup = isQuick ? 3 : 10;
const killCount = isQuick ? 20 : 200;
const perSecondMax = 30;
const longestMs = 900_000;
const answerWithinMs = 2_500;
/** A kill comes at most this long after the copy has begun to send. */
const killWithinMs = 700;

/** Issue figures: a burst drains at 95 % of Telegram's ceiling without a 429; 200 kill -9 lose nothing and mark what they repeat. */
export const benchTelegramDeliveries = async (): Promise<Row[]> => [...(await burst()), ...(await kills())];

const with429 = ({ sandbox }: BenchOutbox): number => {
  const { refusals } = sandbox.telegram.counters();
  return refusals['429'] ?? 0;
};

const burst = async (): Promise<Row[]> => {
  const outbox = await startOutbox(groupCount);
  try {
    await outbox.enqueue(perGroup);
    const total = groupCount * perGroup;
    const child = await outbox.startCopy(15_000);
    await until('everything is sent', async () => (await outbox.pendingCount()) === 0, longestMs);
    await child.end();
    const times = outbox.accepted().map(({ atMs }) => atMs);
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    // The first 30 may go at once: the rate is measured on the others.
    const share = ((total - perSecondMax) / seconds / perSecondMax) * 100;
    const { lost, repeated, disordered } = compareWithGiven(outbox);
    const what = `${total} deliveries to ${groupCount} groups`;
    return [
      atLeast(`${what}: share of 30/s`, share, 95, ' %', `${Math.round(seconds)} s`),
      atMost(`${what}: answers 429 of a strict server`, with429(outbox), 0),
      atMost(`${what}: lost or repeated`, lost + repeated.length, 0),
      atMost(`${what}: groups with messages out of order`, disordered, 0),
    ];
  } finally {
    await outbox.stop();
  }
};

const kills = async (): Promise<Row[]> => {
  const outbox = await startOutbox(200);
  try {
    for (let kill = 0; kill < killCount; kill += 1) {
      if ((await outbox.pendingCount()) < 400) await outbox.enqueue(5);
      const before = outbox.sandbox.telegram.counters().acceptedMessages;
      const child = await outbox.startCopy(answerWithinMs);
      await until('it sends', () => outbox.sandbox.telegram.counters().acceptedMessages > before, longestMs);
      await delay(Math.random() * killWithinMs);
      await child.end('SIGKILL');
    }
    const last = await outbox.startCopy(answerWithinMs);
    await until('everything is sent', async () => (await outbox.pendingCount()) === 0, longestMs);
    await last.end();
    const { lost, repeated, disordered } = compareWithGiven(outbox);
    const doubtful = await outbox.doubtful();
    const unmarked = repeated.filter((text) => !doubtful.has(text)).length;
    const what = `${killCount} kill -9 in a burst of ${outbox.givenCount() * outbox.chatIds.length}`;
    return [
      atMost(`${what}: messages lost`, lost, 0),
      atMost(`${what}: messages repeated, four allowed per kill`, repeated.length, killCount * onTheirWayMax),
      atMost(`${what}: marked as doubtful, four allowed per kill`, doubtful.size, killCount * onTheirWayMax),
      atMost(`${what}: repeated without being marked as doubtful`, unmarked, 0),
      atMost(`${what}: groups with messages out of order`, disordered, 0),
      atMost(`${what}: answers 429 of a strict server`, with429(outbox), 0),
    ];
  } finally {
    await outbox.stop();
  }
};
