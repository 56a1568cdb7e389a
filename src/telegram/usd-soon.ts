import type { Clock, SuiPrice } from './ports.ts';

const patienceMs = 1500;

/** For answers to people: the price of SUI, after a short wait while it is being read for the first time. */
export async function usdSoon(prices: SuiPrice, clock: Pick<Clock, 'after'>): Promise<string | null> {
  const known = prices.usdPerSui();
  if (known !== null || prices.settled === undefined) return known;
  const { promise: patienceEnds, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(patienceMs, resolve);
  await Promise.race([prices.settled(), patienceEnds]);
  cancel();
  return prices.usdPerSui();
}
