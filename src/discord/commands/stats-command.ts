import { readGuildFigures } from '../admin/statistics-store.ts';
import type { Command } from './command.ts';
import { notSetUpText, statsText } from './rules/bot-texts.ts';

/** Figures of the server, from the database alone. */
export const statsCommand: Command = {
  name: 'stats',
  description: 'How many members are verified here, and when they were last checked',
  answer: async ({ guildId }, { db }) => {
    const found = await readGuildFigures(db, guildId);
    return { content: found === null ? notSetUpText : statsText(found.nftName, found) };
  },
};
