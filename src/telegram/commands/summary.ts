import { summaryAnswer } from './texts/facts-texts.ts';
import { usdSoon } from '../sui-price.ts';
import { inTrackedGroup } from './tracked-group.ts';

const dayMs = 86_400_000;

/** The state of the collection in one card, from the database alone. */
export const summary = inTrackedGroup(async ({ collection, configuration }, { answer }, deps) => {
  const { history, prices, clock, explorerUrl } = deps;
  const { mintedCount, maxSupply, createdAt: since, timeZone } = configuration;
  const now = clock.now();
  const [day, total, usdPerSui] = await Promise.all([
    history.summary(collection.id, new Date(now.getTime() - dayMs)),
    history.summary(collection.id, since),
    usdSoon(prices, clock),
  ]);
  const counts = { mintedCount, maxSupply };
  return answer(summaryAnswer({ collection, day, total, since, timeZone, ...counts, explorerUrl, usdPerSui, now }));
});
