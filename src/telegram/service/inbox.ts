import { setTimeout as delay } from 'node:timers/promises';

import type { Update } from 'grammy/types';

import { createOutageNote } from '../../platform/outage-note.ts';
import type { InboxEntry } from '../adapters/inbox-store.ts';
import type { ReplyKind } from '../send/limits.ts';
import type { Standing } from '../bot/group-admins.ts';
import type { ChatLanes } from './chat-lanes.ts';
import { gathered } from './gathered.ts';
import { createInHand, type Held, type InHand } from './in-hand.ts';
import type { Asked } from './read-asked.ts';
import type { IntakeDeps } from './update-intake.ts';

interface InboxDeps extends Pick<
  IntakeDeps,
  'store' | 'handle' | 'admins' | 'log' | 'lookEveryMs' | 'renewEveryMs' | 'nowMs'
> {
  readonly lanes: ChatLanes;
  readonly read: (update: Update) => Asked;
  readonly standingOf: (asked: Asked) => Standing;
  /** Somebody may not what they wish: it changes nothing, and need not be kept. */
  readonly refuse: (update: Update, asked: Asked) => void;
}

/** What was written down, on its way through this copy. */
export interface Inbox {
  /** Resolves when it is written down. */
  put(update: Update, asked: Asked): Promise<void>;
  /** Writes down what could not be answered: it is tried again soon. */
  keep(update: Update, asked: Asked): Promise<void>;
  carryOn(stop: AbortSignal): Promise<void>;
  letGo(): Promise<void>;
  isBusy(): boolean;
  stop(): Promise<void>;
}

const writtenTogetherMax = 100;
const stopWithinMs = 1_500;
const cleanEveryMs = 60_000;

export function createInbox(deps: InboxDeps): Inbox {
  const { store, lanes, log, nowMs } = deps;
  const inHand = createInHand(deps);
  const write = gathered((entries: readonly InboxEntry[]) => store.write(entries), writtenTogetherMax);
  const claim = async (): Promise<void> => {
    const rows = inHand.room();
    if (rows <= 0) return;
    const updates = await store.claim({ rows, heldIds: inHand.ids(), fullChatIds: inHand.fullChatIds() });
    for (const update of updates) {
      const asked = deps.read(update);
      begin(update, asked, inHand.take(update.update_id, asked.chatId));
    }
  };
  const claiming = oneByOne(claim, log);
  const begin = createHandling(deps, inHand, () => void claiming.next());
  const letGo = async (): Promise<void> => {
    await claiming.last();
    lanes.clear();
    const waiting = inHand.dropWaiting();
    if (waiting.length > 0) await store.release(waiting).catch(() => {});
    const untilMs = nowMs() + stopWithinMs;
    while (inHand.size() > 0 && nowMs() < untilMs) await delay(10);
  };

  return {
    put: async (update, asked) => {
      const { chatId } = asked;
      const held = inHand.hasRoomFor(chatId) ? inHand.take(update.update_id, chatId) : null;
      const mine = await write({ update, chatId, hasRoom: held !== null }).catch((error: unknown) => {
        if (held !== null) inHand.drop(held);
        throw error;
      });
      if (held === null) return;
      if (mine.has(held.id)) begin(update, asked, held);
      else inHand.drop(held);
    },
    keep: async (update, { chatId }) => void (await write({ update, chatId, hasRoom: false })),
    carryOn: async (stop) => {
      let cleanAtMs = nowMs();
      while (!stop.aborted) {
        if (nowMs() >= cleanAtMs) {
          cleanAtMs = nowMs() + cleanEveryMs;
          await store.clean().catch(() => {});
        }
        await claiming.next();
        await delay(deps.lookEveryMs, undefined, { signal: stop }).catch(() => {});
      }
    },
    letGo,
    isBusy: () => inHand.size() > 0,
    stop: async () => {
      await letGo();
      inHand.stop();
    },
  };
}

/** Never throws. Says once for each time the database is away that it cannot claim. */
function oneByOne(claim: () => Promise<void>, log: InboxDeps['log']) {
  let claiming: Promise<void> = Promise.resolve();
  const note = createOutageNote(log, 'Waiting updates of Telegram could not be read');
  const claimOrTell = async (): Promise<void> => {
    try {
      await claim();
      note.done();
    } catch (error) {
      note.failed(error);
    }
  };
  const next = (): Promise<void> => {
    claiming = claiming.then(claimOrTell);
    return claiming;
  };
  return { next, last: () => claiming };
}

/** `claimMore` is called when this copy has nothing in hand any more of a chat in which more waits. */
function createHandling({ store, log, lanes, admins, ...deps }: InboxDeps, inHand: InHand, claimMore: () => void) {
  const settle = gathered((ids: readonly number[]) => store.settle(ids), writtenTogetherMax);
  const done = async (held: Held): Promise<void> => {
    try {
      const more = await settle(held.id);
      inHand.drop(held);
      if (more.has(held.chatId) && inHand.hasNoneOf(held.chatId)) claimMore();
    } catch (error) {
      inHand.drop(held);
      log.warn({ err: error, updateId: held.id }, 'What was done with an update of Telegram could not be noted');
    }
  };
  const queue = (lane: string, update: Update, held: Held, kind: ReplyKind): void =>
    lanes.enter(lane, async () => {
      if (!inHand.begin(held)) return;
      try {
        await deps.handle(update, kind);
      } catch {
        // Telegram or the database is gone, as the log says: the row stays, and is taken again when the claim has ended.
        inHand.drop(held);
        return;
      }
      await done(held);
    });
  /** Admins first: what others wish is refused beside it, and what is not known waits for itself. */
  return (update: Update, asked: Asked, held: Held): void => {
    const { kind, chatId, personId } = asked;
    if (kind === 'question') return queue(`${chatId} question`, update, held, 'question');
    if (kind === 'event' || deps.standingOf(asked) === 'admin') return queue(String(chatId), update, held, 'change');
    const sinceMs = deps.nowMs();
    return lanes.enter(`${chatId} who`, async () => {
      const isAdmin = await admins.wasAdmin(chatId, personId, sinceMs);
      if (isAdmin !== false) {
        queue(isAdmin === true ? String(chatId) : `${chatId} unsure`, update, held, 'change');
        return;
      }
      deps.refuse(update, asked);
      void done(held);
    });
  };
}
