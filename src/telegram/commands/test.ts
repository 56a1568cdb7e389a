import { Refused } from '../../shared/failure.ts';
import type { TelegramParts } from '../bot-deps.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { sampleCard } from '../cards/event-card.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import { createEventCards } from '../notify/event-cards.ts';
import { type Command, inTrackedGroup } from './command.ts';

/** The latest real sale as a sample, sent where notifications go. */
export const test: Command = {
  name: 'test',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'Post the latest real sale as a sample',
  handle: inTrackedGroup(async ({ configuration }, { chatId, answer }, deps) => {
    const content = await sampleFor(deps, configuration);
    await deps.chats.tryPhotos(chatId);
    const chat = await deps.chats.read(chatId);
    answer(content, { topicId: openTopicOf(chat) });
  }),
};

/** The latest real sale of what a group tracks (rulings R4), as its card would show it. */
export async function sampleFor(
  parts: TelegramParts,
  { trackedCollectionId }: Pick<Configuration, 'trackedCollectionId'>,
): Promise<MessageContent> {
  const context = await createEventCards(parts).context(trackedCollectionId);
  if (context === null) throw new Refused('not-found', 'The collection of this configuration is not known.');
  const sale = await parts.activity.latestSale(trackedCollectionId);
  return sampleCard(sale, context);
}
