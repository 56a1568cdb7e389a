import type { BotLog } from '../../platform/bot-service/bot-runner.ts';
import { createOutageNote } from '../../platform/outage-note.ts';
import type { InboxStore } from '../adapters/inbox-store.ts';

export interface Held {
  readonly id: number;
  readonly chatId: number;
  isBegun: boolean;
}

interface InHandDeps {
  readonly store: Pick<InboxStore, 'renew'>;
  readonly log: BotLog;
  readonly renewEveryMs: number;
}

/** At once; the rest waits in its rows. */
const rowsMax = 500;
const perChatMax = 20;

/** Which rows of the inbox this copy has in hand; says so again and again while there are any, so that no other takes them. */
export function createInHand({ store, log, renewEveryMs }: InHandDeps) {
  const rows = new Map<number, Held>();
  const perChat = new Map<number, number>();
  const note = createOutageNote(log, 'The claims on updates of Telegram could not be renewed');
  let renewing: NodeJS.Timeout | null = null;
  const count = (chatId: number, change: number): void => {
    const howMany = (perChat.get(chatId) ?? 0) + change;
    if (howMany === 0) perChat.delete(chatId);
    else perChat.set(chatId, howMany);
  };
  const renew = async (): Promise<void> => {
    await store.renew([...rows.keys()]).then(note.done, note.failed);
    renewing = rows.size === 0 ? null : soon();
  };
  const soon = (): NodeJS.Timeout => setTimeout(() => void renew(), renewEveryMs).unref();
  const drop = (held: Held): void => {
    if (rows.get(held.id) !== held) return;
    rows.delete(held.id);
    count(held.chatId, -1);
  };
  return {
    take: (id: number, chatId: number): Held => {
      const held = { id, chatId, isBegun: false };
      rows.set(id, held);
      count(chatId, 1);
      renewing ??= soon();
      return held;
    },
    /** False: it was let go. */
    begin: (held: Held): boolean => (held.isBegun = rows.get(held.id) === held),
    drop,
    /** Answers the ids of what was not begun, which is in hand no more. */
    dropWaiting: (): readonly number[] => {
      const waiting = [...rows.values()].filter(({ isBegun }) => !isBegun);
      waiting.forEach(drop);
      return waiting.map(({ id }) => id);
    },
    size: () => rows.size,
    room: () => rowsMax - rows.size,
    hasRoomFor: (chatId: number): boolean => rows.size < rowsMax && (perChat.get(chatId) ?? 0) < perChatMax,
    hasNoneOf: (chatId: number): boolean => !perChat.has(chatId),
    ids: (): readonly number[] => [...rows.keys()],
    fullChatIds: (): readonly number[] =>
      [...perChat].filter(([, howMany]) => howMany >= perChatMax).map(([chatId]) => chatId),
    stop: (): void => {
      if (renewing !== null) clearTimeout(renewing);
      rows.clear();
      perChat.clear();
    },
  };
}
export type InHand = ReturnType<typeof createInHand>;
