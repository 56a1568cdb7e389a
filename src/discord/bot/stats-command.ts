import { notSetUpText, statsText } from '../core/bot-texts.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';

/** /stats: figures of the server, from the database alone. */
export async function showStats({ guildId }: Asked, { figures }: BotDeps): Promise<Answer> {
  const found = await figures(guildId);
  return { content: found === null ? notSetUpText : statsText(found.nftName, found) };
}
