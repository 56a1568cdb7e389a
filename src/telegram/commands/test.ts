import { apiFailureOf } from '../send/bot-api.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import { sampleFor } from './sample.ts';
import { inTrackedGroup } from './tracked-group.ts';

/** The latest real sale as a sample, sent where notifications go; if that topic is gone, where it was requested. */
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
