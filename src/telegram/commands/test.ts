import { Refused } from '../../shared/failure.ts';
import type { BotDeps } from '../bot/bot-deps.ts';
import type { MessageContent } from '../cards/parts.ts';
import { sampleCard } from '../cards/event-card.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import { usdSoon } from '../sui-price.ts';
import { type Command, inTrackedGroup } from './command.ts';

/** The latest real sale as a sample, sent where notifications go. */
export const test: Command = {
  name: 'test',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'Post the latest real sale as a sample',
  handle: inTrackedGroup(async ({ configuration }, { chatId, answer }, deps) => {
    const content = await sampleFor(deps, configuration);
    const chat = await deps.chats.read(chatId);
    answer(content, { topicId: openTopicOf(chat) });
  }),
};

type SampleDeps = Pick<BotDeps, 'tracking' | 'history' | 'prices' | 'settings' | 'rocks'>;

/** The latest real sale of what a group tracks (rulings R4), as its card would show it. */
export async function sampleFor(
  { tracking, history, prices, rocks, settings: { explorerUrl } }: SampleDeps,
  { trackedCollectionId }: Pick<Configuration, 'trackedCollectionId'>,
): Promise<MessageContent> {
  const collection = (await tracking.tracked([trackedCollectionId])).get(trackedCollectionId);
  if (collection === undefined) throw new Refused('not-found', 'The collection of this configuration is not known.');
  const [sale = null] = await history.sales(collection.id, { by: 'time', limit: 1 });
  const rockPage = rocks && ((objectId: string) => rocks.pageOf(objectId));
  const usdPerSui = await usdSoon(prices);
  return sampleCard(sale, { collection, floorBeforeMist: null, explorerUrl, rockPage, usdPerSui });
}
