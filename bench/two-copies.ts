import { onTheirWayMax } from '../src/telegram/send/message.ts';
import { deadlocksOf } from '../tests/support/deadlocks.ts';
import { startBenchDatabase } from './bench-database.ts';
import { numberOption } from './number-option.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import type { Takeover } from './two-copies-kills.ts';
import { runTwoCopies, type TwoCopiesFigures } from './two-copies-run.ts';

/** `npm run bench two-copies [-- --seed N --kills N]`: two processes of the product on one PostgreSQL, killed at random. */
const takenOverMaxSeconds = 3;

/** Issue figures: nothing lost, only doubtful messages repeated, either bot taken over within 3 s. */
export const benchTwoCopies = async (): Promise<Row[]> => {
  const [seed, kills] = [numberOption('seed', 1), numberOption('kills', 12)];
  const database = await startBenchDatabase({ max_connections: '100' });
  try {
    const figures = await runTwoCopies(database, {
      size: { collections: 40, groupsEach: 3, servers: 6, membersEach: 8 },
      pace: { eventEveryMs: 400, tradeEveryMs: 2_500 },
      kills: { seed, kills, withinMs: 7_000, awayMaxMs: 9_000 },
      visitors: 4,
      drainedWithinMs: 200_000,
    });
    for (const failure of figures.failures) console.error(failure);
    return [...rowsOf(figures, kills), atMost('deadlocks', await deadlocksOf(database.pool), 0)];
  } finally {
    await database.drop();
  }
};

const rowsOf = (
  { events, trades, heard, roles, takeovers, answers, failures }: TwoCopiesFigures,
  kills: number,
): Row[] => {
  const what = `${kills} kill -9 of two copies`;
  return [
    atMost(`${what}: events lost`, heard.eventsLost, 0, '', `of ${events}`),
    atMost('messages lost', heard.messagesLost, 0, '', `of ${heard.messagesDue}`),
    atMost('messages repeated, four allowed per kill', heard.repeated, kills * onTheirWayMax),
    atMost('repeated without being marked as doubtful', heard.repeatedUnmarked, 0),
    atMost('groups with messages out of order', heard.chatsOutOfOrder, 0),
    atMost('members with a wrong role at the end', roles.wrongInTheEnd, 0, '', `${trades} trades`),
    atMost('roles given or taken without cause', roles.withoutCause, 0, '', `of ${roles.changes} changes`),
    ...(['telegram bot', 'discord bot'] as const).flatMap((bot) => takeoverRows(takeovers, bot)),
    atMost('answers ≥ 500, or none, of a living copy', failures.length, 0, '', `of ${answers}`),
  ];
};

const takeoverRows = (takeovers: readonly Takeover[], bot: Takeover['bot']): Row[] => {
  const seconds = takeovers.filter((each) => each.bot === bot).map(({ tookMs }) => tookMs / 1_000);
  const note = `median ${median(seconds).toFixed(2)} s`;
  return [
    atLeast(`kills of the copy that ran the ${bot}`, seconds.length, 1),
    atMost(`the ${bot}: longest without a copy`, Math.max(0, ...seconds), takenOverMaxSeconds, ' s', note),
  ];
};
