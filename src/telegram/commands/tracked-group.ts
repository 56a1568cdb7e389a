import type { TrackedCollection } from '../../market/contract.ts';
import type { Configuration } from '../configs/configuration-row.ts';
import type { BotDeps } from '../bot/bot-deps.ts';
import { notConfigured } from './texts/chat-texts.ts';
import type { CommandCall, CommandHandler } from './command.ts';

interface TrackedGroup {
  readonly configuration: Configuration;
  readonly collection: TrackedCollection;
}

/** For a group that follows a collection; any other learns how to begin. */
export const inTrackedGroup =
  (run: (group: TrackedGroup, call: CommandCall, deps: BotDeps) => Promise<unknown>): CommandHandler =>
  async (call, deps) => {
    const configuration = await deps.configurations.ofChat(call.chatId);
    if (configuration === null) return call.answer(notConfigured());
    const { trackedCollectionId: id } = configuration;
    const collection = (await deps.tracking.tracked([id])).get(id);
    return collection === undefined ? call.answer(notConfigured()) : run({ configuration, collection }, call, deps);
  };
