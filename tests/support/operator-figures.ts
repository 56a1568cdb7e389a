import { discordFigures } from '../../src/discord/adapters/figures.ts';
import { collectionFigures } from '../../src/market/poll/figures.ts';
import { retentionFigures } from '../../src/platform/retention/purge-job.ts';
import { telegramFigures } from '../../src/telegram/adapters/figures.ts';
import { treasuryFigures } from '../../src/treasury/treasury-store.ts';

/** As src/main.ts puts them together. */
export const operatorFigures = [
  ...telegramFigures,
  ...discordFigures,
  ...collectionFigures,
  ...treasuryFigures,
  ...retentionFigures,
];
