import { type Api, GrammyError } from 'grammy';
import type { ChatMember } from 'grammy/types';

export interface GroupAdmins {
  /** null: Telegram does not say. `isFresh`: what was remembered is not good enough. */
  isAdmin(chatId: number, userId: number, isFresh?: boolean): Promise<boolean | null>;
  /** What was last heard, however long ago: enough to decide whose question is left unanswered. */
  wasAdmin(chatId: number, userId: number): boolean;
  /** What an update says of somebody's promotion or demotion. */
  note(chatId: number, member: ChatMember): void;
}

const rememberMs = 30_000;
/** Beyond it the oldest answers are forgotten. */
const rememberedMax = 5_000;

const isAdminStatus = (status: ChatMember['status']): boolean => status === 'creator' || status === 'administrator';

/** Who is an admin of a group, asked at Telegram and remembered for half a minute. */
export function createGroupAdmins(
  api: Pick<Api, 'getChatMember' | 'getChatAdministrators'>,
  nowMs: () => number,
): GroupAdmins {
  const answers = new Map<string, { readonly isAdmin: boolean; readonly untilMs: number }>();
  const remember = (chatId: number, userId: number, isAdmin: boolean): boolean => {
    const key = `${chatId} ${userId}`;
    answers.delete(key);
    answers.set(key, { isAdmin, untilMs: nowMs() + rememberMs });
    for (const oldest of answers.keys()) {
      if (answers.size <= rememberedMax) break;
      answers.delete(oldest);
    }
    return isAdmin;
  };
  const ask = async (chatId: number, userId: number): Promise<boolean> => {
    try {
      return isAdminStatus((await api.getChatMember(chatId, userId)).status);
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
      // Sure to work for other users only where the bot is an admin itself (Bot API, getChatMember); this always does.
      const admins = await api.getChatAdministrators(chatId);
      return admins.some(({ user }) => user.id === userId);
    }
  };
  return {
    isAdmin: async (chatId, userId, isFresh = false) => {
      const known = answers.get(`${chatId} ${userId}`);
      if (!isFresh && known !== undefined && known.untilMs > nowMs()) return known.isAdmin;
      return ask(chatId, userId).then(
        (isAdmin) => remember(chatId, userId, isAdmin),
        () => null,
      );
    },
    wasAdmin: (chatId, userId) => answers.get(`${chatId} ${userId}`)?.isAdmin === true,
    note: (chatId, { user, status }) => void remember(chatId, user.id, isAdminStatus(status)),
  };
}
