import type { Pool } from 'pg';

import { until } from '../tests/support/until.ts';
import { countHeard, countRoles, type Heard, type RolesSeen } from './two-copies-count.ts';
import { killAtRandom, type KillPlan, type Takeover } from './two-copies-kills.ts';
import { type MarketPace, runMarket } from './two-copies-market.ts';
import { sendVisitors } from './two-copies-visitors.ts';
import { startTwoCopies, type TwoCopiesSize } from './two-copies-world.ts';

export interface TwoCopiesPlan {
  readonly size: TwoCopiesSize;
  readonly pace: MarketPace;
  readonly kills: KillPlan;
  readonly visitors: number;
  /** From the last kill until every message must be delivered and every role right. */
  readonly drainedWithinMs: number;
}

export interface TwoCopiesFigures {
  readonly events: number;
  readonly trades: number;
  readonly heard: Heard;
  readonly roles: RolesSeen;
  readonly takeovers: readonly Takeover[];
  readonly answers: number;
  readonly failures: readonly string[];
}

/** Kills both copies at random under load, then waits for all work and counts what arrived at the platforms. */
export const runTwoCopies = async (
  database: { readonly url: string; readonly pool: Pool },
  plan: TwoCopiesPlan,
): Promise<TwoCopiesFigures> => {
  const world = await startTwoCopies(database, plan.size);
  try {
    const market = runMarket(world, plan.kills.seed, plan.pace);
    const visitors = await sendVisitors(world, { seed: plan.kills.seed, visitors: plan.visitors });
    const takeovers = await killAtRandom(world, plan.kills);
    await market.stop();
    await visitors.stop();
    const isDrained = async (): Promise<boolean> =>
      (await countHeard(world, market)).messagesLost === 0 && countRoles(world, market).wrongInTheEnd === 0;
    // Whatever is still missing then counts as lost.
    await until('everything is delivered', isDrained, plan.drainedWithinMs).catch(() => {});
    return {
      events: market.events.length,
      trades: market.trades.length / 2,
      heard: await countHeard(world, market),
      roles: countRoles(world, market),
      takeovers,
      answers: visitors.answers,
      failures: visitors.failures,
    };
  } finally {
    await world.stop();
  }
};
