import { floorAnswer } from './texts/facts-texts.ts';
import { usdSoon } from '../sui-price.ts';
import { inTrackedGroup } from './tracked-group.ts';

/** The known floor price, from the database alone. */
export const floor = inTrackedGroup(async ({ collection }, { answer }, { prices, clock }) =>
  answer(floorAnswer({ collection, usdPerSui: await usdSoon(prices, clock), now: clock.now() })),
);
