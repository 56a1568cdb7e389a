import { discordFigures } from '../../src/discord/bot.ts';
import { collectionFigures } from '../../src/market/poll/tracked-store.ts';
import { retentionFigures } from '../../src/retention/purge.ts';
import { telegramFigures } from '../../src/telegram/admin/bot-status.ts';
import { treasuryFigures } from '../../src/treasury/treasury-store.ts';

/** The figures as assembled in src/main.ts, with its defaults. */
export const operatorFigures = [
  ...telegramFigures,
  ...discordFigures,
  ...collectionFigures(45_000),
  ...treasuryFigures,
  ...retentionFigures,
];
