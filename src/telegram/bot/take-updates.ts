import type { Update, UserFromGetMe } from 'grammy/types';

import { createUpdateReading, type FloodRule } from './admit-updates.ts';
import { type Asked, otherWords, readAsked } from './read-asked.ts';
import { addUpdateJobs, type UpdateJobDeps } from './update-jobs.ts';
import type { Log } from '../../process/logger.ts';

export interface IntakeDeps extends Omit<UpdateJobDeps, 'read'> {
  readonly rule: Pick<FloodRule, 'admits'>;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly log: Pick<Log, 'warn'>;
}

/** More than are repeated within minutes. */
const rememberedMax = 2_000;

/** Takes updates from polling and webhook, and adds the jobs that handle them (docs/decisions/0016). */
export function createUpdateIntake(deps: IntakeDeps) {
  const { rule, me, store } = deps;
  /** One that is brought again, because our word was lost or it could not be stored, does not count again. */
  const admittedIds = new Set<number>();
  const isAdmitted = (id: number, asked: Asked): boolean => {
    if (admittedIds.has(id)) return true;
    if (!rule.admits(asked)) return false;
    const [oldest] = admittedIds.add(id);
    if (oldest !== undefined && admittedIds.size > rememberedMax) admittedIds.delete(oldest);
    return true;
  };
  const jobs = addUpdateJobs({ ...deps, read: (update) => readAsked(update, me()) });
  const keptOf = createUpdateReading(deps.log);
  const admit = (given: Update) => {
    const update = keptOf(given);
    if (update === null) return [];
    const asked = readAsked(update, me());
    const { message } = update;
    if (asked.kind === 'nothing' || !isAdmitted(update.update_id, asked)) return [];
    // Messages that are no command are never stored.
    const isWordless = message !== undefined && asked.command === otherWords;
    const kept = isWordless ? { ...update, message: { ...message, text: '' } } : update;
    return [{ update: kept, chatId: asked.chatId }];
  };
  return {
    ...jobs,
    /** Resolves when they are stored, each once however often it arrives. Rejects with database errors: then Telegram is to deliver them again. */
    take: async (updates: readonly Update[]): Promise<void> => {
      const arrived = updates.flatMap(admit);
      if (arrived.length === 0) return;
      await store.write(arrived, (trx) =>
        jobs.handleChats(
          arrived.map(({ chatId }) => chatId),
          trx,
        ),
      );
    },
  };
}
