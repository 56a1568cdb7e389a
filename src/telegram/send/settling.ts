import { setTimeout as delay } from 'node:timers/promises';

import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import { createOutageNote, type OutageLog } from '../../process/outage-note.ts';
import type { ChatLog } from './chat-log.ts';
import { readLimitedChats, readSentLately, takeOverCards } from './card-store.ts';
import type { SendLimits } from './limits.ts';
import type { Message, Outcome } from './message.ts';
import { type AskedReply, createReplyStore, type ReplyAnswer } from './reply-store.ts';
import { createSettle } from './settle.ts';

export interface Settling {
  /** Counts recent messages; those with an unknown outcome are in doubt. Throws database errors. */
  takeOver(limits: SendLimits): Promise<void>;
  /** Both retry until the result is stored or they are abandoned. They never throw. */
  settleCard(message: Message, outcome: Outcome, abandoned: AbortSignal): Promise<void>;
  settleReply(reply: AskedReply, answer: ReplyAnswer, abandoned: AbortSignal): Promise<void>;
}

interface SettlingOptions {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish'>;
  readonly chatLog: ChatLog;
  readonly log: OutageLog;
  readonly onAnswered: (id: string, answer: ReplyAnswer) => void;
  readonly answeredTopic: string;
}

const firstRetryMs = 100;
const longestRetryMs = 2_000;

/**
 * Stores the outcome of sent messages. An outcome is not lost when the database is down: it is stored as soon as that
 * is back, and until then this copy knows that the message is not in doubt.
 */
export function createSettling({ db, changes, chatLog, log, onAnswered, answeredTopic }: SettlingOptions): Settling {
  const settle = createSettle(db, chatLog);
  const replies = createReplyStore(db);
  const note = createOutageNote(log, 'What was sent could not be written down');
  const unwritten = { cards: new Set<string>(), replies: new Set<string>() };
  const untilWritten = async (ids: Set<string>, id: string, write: () => Promise<void>, abandoned: AbortSignal) => {
    ids.add(id);
    for (let waitMs = firstRetryMs; !abandoned.aborted; waitMs = Math.min(longestRetryMs, 2 * waitMs)) {
      try {
        await write();
        note.done();
        break;
      } catch (error) {
        note.failed(error);
        await delay(waitMs, undefined, { signal: abandoned }).catch(() => {});
      }
    }
    ids.delete(id);
  };
  return {
    takeOver: async (limits) => {
      const [sent, limited] = await Promise.all([readSentLately(db), readLimitedChats(db)]);
      const cards = await takeOverCards(db, [...unwritten.cards]);
      const asked = await replies.takeOver([...unwritten.replies]);
      const inDoubt = [
        ...cards.map(({ chatId }) => ({ chatId, kind: 'card' as const, agoMs: 0 })),
        ...asked.map(({ chatId }) => ({ chatId, kind: 'change' as const, agoMs: 0 })),
      ];
      limits.load([...sent, ...inDoubt], limited);
    },
    settleCard: (message, outcome, abandoned) =>
      untilWritten(unwritten.cards, message.id, () => settle(message, outcome), abandoned),
    settleReply: async (reply, answer, abandoned) => {
      const write = async (): Promise<void> => {
        await replies.answer(reply.id, answer);
        onAnswered(reply.id, answer);
        await changes.publish(answeredTopic);
      };
      await untilWritten(unwritten.replies, reply.id, write, abandoned);
    },
  };
}
