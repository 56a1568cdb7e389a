import type { Update, UserFromGetMe } from 'grammy/types';

import { createUpdateReading, type FloodRule } from './admit-updates.ts';
import { otherWords, readAsked } from './read-asked.ts';
import { addUpdateJobs, type UpdateJobDeps } from './update-jobs.ts';
import type { Log } from '../../process/logger.ts';

export interface IntakeDeps extends Omit<UpdateJobDeps, 'read'> {
  readonly rule: Pick<FloodRule, 'admits' | 'forget'>;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Takes updates from polling and webhook, and adds the jobs that handle them (docs/decisions/0016). */
export function createUpdateIntake(deps: IntakeDeps) {
  const { rule, me, store } = deps;
  const jobs = addUpdateJobs({ ...deps, read: (update) => readAsked(update, me()) });
  const keptOf = createUpdateReading(deps.log);
  const admit = (given: Update) => {
    const update = keptOf(given);
    if (update === null) return [];
    const asked = readAsked(update, me());
    const { message } = update;
    if (asked.kind === 'nothing' || !rule.admits(asked)) return [];
    // Messages that are no command are never stored.
    const isWordless = message !== undefined && asked.command === otherWords;
    const kept = isWordless ? { ...update, message: { ...message, text: '' } } : update;
    return [{ update: kept, asked, chatId: asked.chatId }];
  };
  return {
    ...jobs,
    /** Resolves when they are stored, each once however often it arrives. Rejects with database errors: then Telegram is to deliver them again. */
    take: async (updates: readonly Update[]): Promise<void> => {
      const arrived = updates.flatMap(admit);
      if (arrived.length === 0) return;
      try {
        await store.write(arrived);
        await jobs.handleChats(arrived.map(({ chatId }) => chatId));
      } catch (error) {
        for (const { asked } of arrived) rule.forget(asked);
        throw error;
      }
    },
  };
}
