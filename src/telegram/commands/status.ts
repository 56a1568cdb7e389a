import { statusAnswer } from './texts/status-text.ts';
import { inTrackedGroup } from './tracked-group.ts';

/** Rulings R4: last check, source lag, permissions, pinned topic. */
export const status = inTrackedGroup(async ({ collection }, { chatId, topicId, answer }, deps) => {
  const [chat, deliveries] = await Promise.all([deps.chats.read(chatId), deps.deliveriesOf(chatId)]);
  const pinned =
    chat === null || chat.topicId === null
      ? null
      : { chatId, topicId: chat.topicId, state: chat.topicState, askedInTopicId: topicId };
  return answer(
    statusAnswer({
      collection,
      canSendMessages: chat?.canSendMessages ?? true,
      canSendPhotos: chat?.canSendPhotos ?? true,
      pinned,
      trouble: chat?.trouble ?? null,
      ...deliveries,
      now: deps.clock.now(),
    }),
  );
});
