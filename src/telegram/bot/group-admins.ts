import type { Api } from 'grammy';
import type { ChatMember, Message } from 'grammy/types';
import { z } from 'zod';

/** `unknown`: not checked lately, or Telegram did not say; such a person may be an admin. */
export type Role = 'admin' | 'member' | 'unknown';

/** Rulings R4: after this the list is read again. Telegram reports demotions only to a bot that is an admin. */
const believedMs = 5_000;
/** How long someone who was not in the list counts as no admin. */
const refusedForMs = 30_000;
/** For priority only; no permission depends on it. */
const firstMs = 5 * 60_000;
/** How often a group's list may be requested in this time; beyond it the last answer serves all. */
const asksMax = 4;
const asksWithinMs = believedMs;
/** A request without a list counts for this long only: the first command after an outage needs one at once. */
const failedForMs = 1_000;
/** Above this the groups not heard from for the longest time are forgotten. */
const groupsMax = 5_000;
const refusedMax = 200;
const adminList = z.array(z.looseObject({ user: z.looseObject({ id: z.int() }) }));

interface Group {
  /** Telegram's last answer. */
  readonly list: { readonly ids: Set<number>; readonly atMs: number } | null;
  /** When each of these was last missing from the list. */
  readonly refused: Map<number, number>;
  readonly askedAtMs: readonly number[];
  /** False: Telegram did not say. */
  readonly asking: Promise<boolean> | null;
}

const nothingKnown = (): Group => ({ list: null, refused: new Map(), askedAtMs: [], asking: null });
const isAdminStatus = (status: ChatMember['status']): boolean => status === 'creator' || status === 'administrator';

type Book = ReturnType<typeof createBook>;

/** What is known of each group. */
function createBook(nowMs: () => number) {
  const groups = new Map<number, Group>();
  const of = (chatId: number): Group => groups.get(chatId) ?? nothingKnown();
  return {
    of,
    change: (chatId: number, change: Partial<Group>): void => {
      const group = { ...of(chatId), ...change };
      groups.delete(chatId);
      groups.set(chatId, group);
      for (const oldest of groups.keys()) {
        if (groups.size <= groupsMax) break;
        groups.delete(oldest);
      }
    },
    recentAsks: (chatId: number): readonly number[] =>
      of(chatId).askedAtMs.filter((atMs) => atMs > nowMs() - asksWithinMs),
  };
}

/** null: unreadable, which makes no one a plain member. */
const readList = (admins: unknown): Set<number> | null => {
  const read = adminList.safeParse(admins);
  return read.success ? new Set(read.data.map(({ user }) => user.id)) : null;
};

/** Requests a group's list; concurrent callers share the answer. False: Telegram does not say. */
const askWith =
  (api: Pick<Api, 'getChatAdministrators'>, book: Book, nowMs: () => number) =>
  (chatId: number): Promise<boolean> => {
    const { asking } = book.of(chatId);
    if (asking !== null) return asking;
    const atMs = nowMs();
    const asked = api
      .getChatAdministrators(chatId)
      .then(readList, () => null)
      .then((ids) => {
        const at = ids === null ? atMs - asksWithinMs + failedForMs : atMs;
        const askedAtMs = book.recentAsks(chatId).map((each) => (each === atMs ? at : each));
        book.change(chatId, { ...(ids !== null && { list: { ids, atMs } }), asking: null, askedAtMs });
        return ids !== null;
      });
    book.change(chatId, { asking: asked, askedAtMs: [...book.recentAsks(chatId), atMs] });
    return asked;
  };

/**
 * Who is an admin of a group, by its list of admins: one request serves the whole group, so a crowd costs no more than
 * one person. Unlike getChatMember, it is sure to work if the bot is no admin itself (Bot API).
 */
export function createGroupAdmins(api: Pick<Api, 'getChatAdministrators'>, nowMs: () => number) {
  const book = createBook(nowMs);
  const ask = askWith(api, book, nowMs);
  const isYoung = (list: Group['list'], youngMs: number): list is NonNullable<Group['list']> =>
    list !== null && list.atMs > nowMs() - youngMs;

  const roleWithin = (chatId: number, userId: number, adminMs: number): Role => {
    const { list, refused } = book.of(chatId);
    if (isYoung(list, adminMs) && list.ids.has(userId)) return 'admin';
    const refusedAtMs = refused.get(userId);
    if (refusedAtMs !== undefined && refusedAtMs > nowMs() - refusedForMs) return 'member';
    // In a crowd the last answer has to do: at most 5 s old.
    if (book.recentAsks(chatId).length < asksMax || !isYoung(list, asksWithinMs)) return 'unknown';
    return list.ids.has(userId) ? 'admin' : 'member';
  };
  const look = async (chatId: number, userId: number): Promise<boolean | null> => {
    const mayAsk = book.recentAsks(chatId).length < asksMax || book.of(chatId).asking !== null;
    return mayAsk && (await ask(chatId)) ? read(chatId, userId) : null;
  };
  const read = (chatId: number, userId: number): boolean | null => {
    const { list, refused } = book.of(chatId);
    if (list === null) return null;
    if (list.ids.has(userId)) return true;
    if (refused.size >= refusedMax) refused.clear();
    refused.set(userId, nowMs());
    return false;
  };
  return {
    /** null: Telegram does not say. Rulings R4: never from an answer older than 5 s. `isFresh`: not even from that. */
    isAdmin: async (chatId: number, userId: number, isFresh = false): Promise<boolean | null> => {
      const known = roleWithin(chatId, userId, isFresh ? 0 : believedMs);
      return known === 'unknown' ? look(chatId, userId) : known === 'admin';
    },
    /** The same, from a list requested at that time or later. */
    wasAdmin: async (chatId: number, userId: number, sinceMs: number): Promise<boolean | null> => {
      if ((book.of(chatId).list?.atMs ?? Number.NEGATIVE_INFINITY) >= sinceMs) return read(chatId, userId);
      const known = roleWithin(chatId, userId, believedMs);
      return known === 'unknown' ? look(chatId, userId) : known === 'admin';
    },
    /** What is known without asking: enough to prioritise or drop a request. */
    roleOf: (chatId: number, userId: number): Role => roleWithin(chatId, userId, firstMs),
    /** Applies a promotion or demotion from an update. */
    note: (chatId: number, { user, status }: ChatMember): void => {
      const { list, refused } = book.of(chatId);
      refused.delete(user.id);
      if (isAdminStatus(status)) list?.ids.add(user.id);
      else list?.ids.delete(user.id);
    },
  };
}

export type GroupAdmins = ReturnType<typeof createGroupAdmins>;

/** The sender's role, from the message itself and from what is known of the group's admins. */
export const roleOf = (
  admins: Pick<GroupAdmins, 'roleOf'>,
  { speaker, chatId, personId }: { speaker: Speaker['kind']; chatId: number; personId: number },
): Role => {
  if (speaker !== 'person') return speaker === 'anonymous-admin' ? 'admin' : 'member';
  return admins.roleOf(chatId, personId);
};

/** The author of a message in a group, for deciding what they may do. */
export interface Speaker {
  readonly kind: 'person' | 'anonymous-admin' | 'other';
  /** A user's id, or the id of the chat on whose behalf it was written. */
  readonly id: number;
  readonly name: string;
}

/** @GroupAnonymousBot represents every anonymous admin of every group: its id says nothing about this one. */
const groupAnonymousBotId = 1087968824;

/**
 * Rulings R4: an anonymous admin is recognised by `sender_chat` being the group itself. A linked channel, or any other
 * chat on whose behalf a message was written, is no admin.
 */
export function speakerOf(message: Pick<Message, 'chat' | 'from' | 'sender_chat'>): Speaker {
  const { chat, from, sender_chat: behalf } = message;
  if (behalf !== undefined) {
    const kind = behalf.id === chat.id ? 'anonymous-admin' : 'other';
    return { kind, id: behalf.id, name: kind === 'anonymous-admin' ? 'Anonymous admin' : 'A channel' };
  }
  if (from === undefined || from.id === groupAnonymousBotId)
    return { kind: 'other', id: from?.id ?? 0, name: 'Nobody' };
  return { kind: 'person', id: from.id, name: nameOf(from) };
}

/** For the audit log. The privacy policy mentions only a messenger user ID: names are not kept. */
export const nameOf = ({ id }: { readonly id: number }): string => `Telegram user ${id}`;

export const actorOf = ({ id, name }: Pick<Speaker, 'id' | 'name'>) =>
  ({ kind: 'telegram', userId: String(id), name }) as const;
