import { z } from 'zod';

import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Clock } from '../../shared/clock.ts';
import type { PastPriceSource } from '../../sources/prices/past-prices.ts';
import { endOf } from '../core/ledger-days.ts';
import { priceAt } from '../core/price-at.ts';
import type { PriceQuote } from '../core/reading.ts';
import { isCountable } from '../core/token-valuation.ts';
import type { CoinDay } from './day-store.ts';
import type { createLedgerPast } from './ledger-past.ts';

export interface DayPriceJobDeps {
  readonly past: ReturnType<typeof createLedgerPast>;
  readonly pastPrices: PastPriceSource;
  /** Notifies every copy that there is something new in the database. */
  readonly publish: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

const everyMs = 60_000;
const longestRetryMs = 300_000;
/** Two calls for ten coins. */
const daysAtOnce = 100;

/** Rulings R8: what each coin cost at the end of each day on which it was held; where the source has none, that is kept too. */
export const dayPriceJob = ({ past, pastPrices, publish, clock }: DayPriceJobDeps): JobDefinition<object> => ({
  name: 'treasury-day-prices',
  payload: z.object({}),
  repeats: { payload: {}, everyMs },
  longestRetryMs,
  failing: 'The prices of past days could not be read',
  run: async (_payload, stop) => {
    const { unasked } = await past.load();
    const firstDay = unasked[0]?.day;
    if (firstDay === undefined) return undefined;
    const asked = unasked.filter(({ day }) => day < firstDay + daysAtOnce);
    const coinTypes = [...new Set(asked.map(({ coinType }) => coinType))];
    const lastDay = asked.at(-1)?.day ?? firstDay;
    const range = { from: endOf(firstDay), to: endOf(lastDay), every: 'day' as const };
    const found = await pastPrices.readPastPrices(coinTypes, range, stop);
    await past.savePrices(asked.map((each) => ({ ...each, quote: quoteOf(each, found) })));
    await publish();
    return unasked.length > asked.length ? { againAt: clock.now() } : undefined;
  },
});

/** Rulings R3: a price that its own source doubts counts for nothing. */
function quoteOf({ coinType, day }: CoinDay, found: ReadonlyMap<string, readonly PriceQuote[]>): PriceQuote | null {
  const quote = priceAt(found.get(coinType) ?? [], endOf(day), 'day');
  return quote !== null && isCountable(quote) ? quote : null;
}
