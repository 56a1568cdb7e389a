import { setTimeout as delay } from 'node:timers/promises';

import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import { createOutageNote, type OutageLog } from '../../db/outage.ts';
import type { ChatLog } from './chat-log.ts';
import { readLimitedChats, readSentLately, takeOverCards } from './card-store.ts';
import type { SendLimits } from './limits.ts';
import type { Message, Outcome } from './message.ts';
import { answeredTopic } from './replies.ts';
import { answerReply, type AskedReply, type ReplyAnswer, takeOverReplies } from './reply-store.ts';
import { noteLimit, settleCard } from './settle.ts';

interface SettlingOptions {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish'>;
  readonly chatLog: ChatLog;
  readonly log: OutageLog;
}

const firstRetryMs = 100;
const longestRetryMs = 2_000;
/** What a killed copy was sending may arrive a second later, and a chat gets one message a second. */
const inDoubtForMs = 2_000;

/**
 * Stores the outcome of sent messages. An outcome is not lost when the database is down: it is stored as soon as that
 * is back, and until then this copy knows that the message is not in doubt.
 */
export function createSettling({ db, changes, chatLog, log }: SettlingOptions) {
  const note = createOutageNote(log, 'What was sent could not be written down');
  const unwritten = { cards: new Set<string>(), replies: new Set<string>() };
  /** Never throws. */
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
    /** Counts recent messages; those with an unknown outcome are in doubt. Throws database errors. */
    takeOver: async (limits: SendLimits): Promise<void> => {
      const cards = await takeOverCards(db, [...unwritten.cards]);
      const replies = await takeOverReplies(db, [...unwritten.replies]);
      // In the database, as this copy may be killed before that time is over.
      const chatIds = new Set([...cards, ...replies].map(({ chatId }) => chatId));
      await Promise.all([...chatIds].map((chatId) => noteLimit(db, chatId, inDoubtForMs)));
      // Read last: a killed copy's last outcome may be stored in this very moment.
      const [sent, limited] = await Promise.all([readSentLately(db), readLimitedChats(db)]);
      const inDoubt = [
        ...cards.map(({ chatId }) => ({ chatId, kind: 'card' as const, agoMs: 0 })),
        ...replies.map(({ chatId }) => ({ chatId, kind: 'change' as const, agoMs: 0 })),
      ];
      limits.load([...sent, ...inDoubt], limited);
    },
    settleCard: (message: Message, outcome: Outcome, abandoned: AbortSignal): Promise<void> =>
      untilWritten(unwritten.cards, message.id, () => settleCard(db, chatLog, message, outcome), abandoned),
    settleReply: (reply: AskedReply, answer: ReplyAnswer, abandoned: AbortSignal): Promise<void> => {
      const write = async (): Promise<void> => {
        await answerReply(db, reply.id, answer);
        await changes.publish(answeredTopic);
      };
      return untilWritten(unwritten.replies, reply.id, write, abandoned);
    },
  };
}
export type Settling = ReturnType<typeof createSettling>;
