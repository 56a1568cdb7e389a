import { setTimeout as delay } from 'node:timers/promises';

import { createRandom } from '../sandbox/world/random.ts';
import { until } from '../tests/support/until.ts';
import { type Copy, isConnected, isPolled, type TwoCopiesWorld } from './two-copies-world.ts';

export interface KillPlan {
  readonly seed: number;
  readonly kills: number;
  /** A kill comes at most this long after both copies are ready. */
  readonly withinMs: number;
  /** Half of the killed copies are started again at once, the others at most this long afterwards. */
  readonly awayMaxMs: number;
}

/** How long no copy ran a bot, from the kill of the copy that did. */
export interface Takeover {
  readonly bot: 'telegram bot' | 'discord bot';
  readonly tookMs: number;
}

/** Both are checked at their platforms: a waiting poll at Telegram, a session at Discord. */
const bots = [
  { bot: 'telegram bot', isHeard: isPolled },
  { bot: 'discord bot', isHeard: isConnected },
] as const;

/** Until then the sandbox may not have noticed that the dead copy's connections are gone. */
const noticedAfterMs = 200;
const backWithinMs = 60_000;
const takenOverWithinMs = 60_000;

/** `kill -9` of either copy at random moments. Resolves when both copies and both bots are back. */
export const killAtRandom = async (world: TwoCopiesWorld, plan: KillPlan): Promise<readonly Takeover[]> => {
  const random = createRandom(plan.seed);
  const takeovers: Takeover[] = [];
  const watches = bots.map(({ bot, isHeard }) => watchTakeovers(() => isHeard(world.sandbox), bot, takeovers));
  const returns: Promise<void>[] = [];
  for (let kill = 0; kill < plan.kills; kill += 1) {
    await until('both copies are ready', () => world.copies.every(({ pid }) => pid !== null), backWithinMs);
    await delay(random.next() * plan.withinMs);
    const victim = random.pick(world.copies);
    const awayMs = random.below(2) === 0 ? 0 : random.next() * plan.awayMaxMs;
    const { pid } = victim;
    if (pid === null) throw new Error('A copy ended by itself');
    const held = await botsOf(world, pid);
    await victim.kill();
    for (const watch of watches) if (held.has(watch.bot)) watch.begin();
    returns.push(comeBack(victim, awayMs));
    await delay(noticedAfterMs);
  }
  await Promise.all(returns);
  await Promise.all(watches.map((watch) => watch.settled()));
  return takeovers;
};

const comeBack = async (copy: Copy, afterMs: number): Promise<void> => {
  await delay(afterMs);
  await copy.start();
};

/** The bots whose lock that process holds (src/db/session-lock.ts). */
const botsOf = async ({ pool }: TwoCopiesWorld, pid: number): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) name where exists (
       select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where l.locktype = 'advisory' and l.granted and a.application_name = $2
         and ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended(name, 0))`,
    [bots.map(({ bot }) => bot), `product ${pid} lock`],
  );
  return new Set(rows.map(({ name }) => name));
};

/** One bot's time without a copy; it begins anew if the copy that took over is killed too. */
const watchTakeovers = (isHeard: () => boolean, bot: Takeover['bot'], takeovers: Takeover[]) => {
  let sinceMs = 0;
  let watching: Promise<void> | null = null;
  const watch = async (): Promise<void> => {
    const isBack = (): boolean => performance.now() - sinceMs > noticedAfterMs && isHeard();
    await until(`the ${bot} is back`, isBack, takenOverWithinMs);
    takeovers.push({ bot, tookMs: performance.now() - sinceMs });
    watching = null;
  };
  return {
    bot,
    begin: () => {
      sinceMs = performance.now();
      watching ??= watch();
    },
    settled: async () => watching,
  };
};
