import type { Api } from 'grammy';
import { z } from 'zod';

import { createAnswerCache } from '../../process/answer-cache.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Author } from '../bot-deps.ts';
import { apiFailureOf } from '../send/bot-api.ts';

/** Rulings R4: after this, the list is read again. */
const keptMs = 5_000;
/** An unreadable answer is kept this long, so that a crowd costs one request and a second try is a real one. */
const unknownMs = 1_000;
const adminList = z.array(z.looseObject({ user: z.looseObject({ id: z.int() }) }));

interface Sender {
  readonly chatId: number;
  readonly personId: number;
  readonly author: Author['kind'];
}

/** null: Telegram does not say. That does not mean that nobody is an admin. */
type AdminIds = ReadonlySet<number> | null;

/**
 * Who is an admin of a group, by its list of admins: one request serves the whole group, so a crowd costs no more than
 * one person. Unlike getChatMember, it is sure to work if the bot is no admin itself (Bot API).
 */
export function createGroupAdmins(api: Pick<Api, 'getChatAdministrators'>, clock: Pick<Clock, 'now'>) {
  const cached = createAnswerCache<AdminIds>(clock, (ids) => (ids === null ? unknownMs : keptMs));
  const readAdmins = async (chatId: number): Promise<AdminIds> => {
    const answer = await api.getChatAdministrators(chatId).catch((error: unknown) => {
      const kind = apiFailureOf(error)?.kind;
      if (kind === 'network' || kind === 'upstream-error') throw error;
      return null;
    });
    const read = adminList.safeParse(answer);
    return read.success ? new Set(read.data.map(({ user }) => user.id)) : null;
  };
  return {
    /** null: Telegram does not say. Throws if Telegram cannot be reached, as no answer could be sent either. */
    isAdmin: async ({ author, chatId, personId }: Sender) => {
      if (author !== 'person') return author === 'anonymous-admin';
      const ids = await cached(String(chatId), () => readAdmins(chatId));
      return ids === null ? null : ids.has(personId);
    },
  };
}
export type GroupAdmins = ReturnType<typeof createGroupAdmins>;
