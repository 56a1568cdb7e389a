import { apiFailureOf } from '../adapters/bot-api.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import { sampleFor } from './sample.ts';
import { inTrackedGroup } from './tracked-group.ts';

/**
 * The latest real sale as a sample, where the notifications go, so that it shows whether they arrive; if that topic is gone, where it
 * was asked for.
 */
export const test = inTrackedGroup(async ({ configuration }, { chatId, answer }, deps) => {
  const content = await sampleFor(deps, configuration);
  const chat = await deps.chats.read(chatId);
  try {
    return await deps.sendNow(chatId, openTopicOf(chat), content);
  } catch (error) {
    if (apiFailureOf(error)?.kind !== 'refused') throw error;
    return answer(content);
  }
});
