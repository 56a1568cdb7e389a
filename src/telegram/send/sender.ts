import { once } from 'node:events';
import { createOutageNote, type OutageNote } from '../../db/outage.ts';
import { cardsTopic, repliesTopic } from '../notify/enqueue-messages.ts';
import { createMessageQueue } from './message-queue.ts';
import { createSendGate, type SenderLimits, type SenderParts, untilDone } from './sending.ts';
import { createSendLimits, type SendLimits } from './limits.ts';
import { createSettling, type Settling } from './settle.ts';

export const senderLimits: SenderLimits = {
  stopWithinMs: 4_000,
  answerWithinMs: 15_000,
  backlogAfterMs: 10 * 60_000,
  nowMs: () => performance.now(),
};

/**
 * The one sender of all copies (rulings R4, docs/decisions/0033): the copy that has the bot's lock sends cards and
 * replies, and keeps Telegram's limits in its memory. The queue is in the database, so that another copy carries on
 * when this one dies.
 */
export function createSender(parts: SenderParts) {
  const settling = createSettling(parts);
  const note = createOutageNote(parts.log, 'What waits to be sent could not be read');
  return {
    /** Sends until then; finishes what is being sent, or marks it doubtful if that takes too long. Never throws. */
    send: async (over: AbortSignal): Promise<void> => {
      const limits = createSendLimits(parts.nowMs);
      await untilDone(() => settling.takeOver(limits), note, over);
      if (over.aborted) return;
      const end = startSending({ ...parts, settling, note }, limits, over);
      if (!over.aborted) await once(over, 'abort');
      await end();
    },
  };
}

interface SendingParts extends SenderParts {
  readonly settling: Settling;
  readonly note: OutageNote;
}

/** Returns how to end it. */
function startSending(parts: SendingParts, limits: SendLimits, over: AbortSignal): () => Promise<void> {
  const { changes, note } = parts;
  const gate = createSendGate(limits);
  const common = { ...parts, limits, gate, onFailed: note.failed };
  const onMigrated = (): void => {
    refillReplies();
    refillCards();
  };
  const replies = createMessageQueue({ ...common, kind: 'reply', onMigrated });
  const cards = createMessageQueue({ ...common, kind: 'card', onMigrated });
  const refillReplies = oneAtATime(() => untilDone(replies.refill, note, over));
  const refillCards = oneAtATime(() => {
    // Time may have been moved, too.
    gate.check();
    return untilDone(cards.refill, note, over);
  });
  const unsubscribes = [changes.subscribe(repliesTopic, refillReplies), changes.subscribe(cardsTopic, onMigrated)];
  onMigrated();
  return async () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    gate.close();
    await Promise.all([replies.end(), cards.end()]);
  };
}

/** Requests during a run cause one more run. `run` never throws. */
function oneAtATime(run: () => Promise<void>): () => void {
  let [isRunning, isAsked] = [false, false];
  const work = async (): Promise<void> => {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await run();
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void work();
  };
}
