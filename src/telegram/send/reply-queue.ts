import { setTimeout as delay } from 'node:timers/promises';
import { knownPicture, rememberFileId } from './pictures.ts';
import type { ReplyKind } from './limits.ts';
import type { Picture } from './message.ts';
import { type AskedReply, beginReplies, type ReplyAnswer } from './replies.ts';
import { noteArrived, noteLimit } from './settle.ts';
import { createTasks, type SendingParts, type Tasks } from './sending.ts';

/** Asked to wait longer in total, the reply is dropped: no one expects it any more. */
const retryAfterMaxMs: Readonly<Record<ReplyKind, number>> = { question: 4_000, notice: 2_000, change: 30_000 };
/** If Telegram names no time. */
const retryAfterMinMs = 1_000;
const pictureWords = /photo|image|file|wrong type/i;

/** Sends immediate replies, in whatever order the limits of chat and kind allow. */
export function createReplyQueue(options: SendingParts) {
  const tasks = createTasks(options);
  const serve = async (reply: AskedReply): Promise<void> => {
    const answer = await sayPatiently(reply, options, tasks).catch((error: unknown): ReplyAnswer => ({
      kind: 'unanswered',
      reason: error instanceof Error ? error.message : String(error),
      isDoubtful: false,
    }));
    await options.settling.settleReply(reply, answer, tasks.abandoned);
  };
  return {
    /** A new reply may wait. */
    refill: async (): Promise<void> => {
      if (tasks.stopping.aborted) return;
      for (const reply of await beginReplies(options.db)) tasks.add(() => serve(reply));
    },
    /** Starts nothing more; resolves when nothing is in progress. */
    end: tasks.end,
  };
}

/** Throws if stopped before anything was sent. */
async function sayPatiently(reply: AskedReply, options: SendingParts, tasks: Tasks): Promise<ReplyAnswer> {
  const { db, limits, pictures } = options;
  const { chatId, kind, request } = reply;
  const { imageUrl } = request.content;
  let picture = await knownPicture(db, imageUrl);
  if (picture === undefined) picture = imageUrl === null ? null : await pictures.fetch(imageUrl);
  const beganAtMs = performance.now();
  for (let ageMs = reply.ageMs; ; ageMs = 0) {
    const answer = await sayOnce({ ...reply, ageMs }, picture, options, tasks);
    if (answer.kind !== 'refused') return answer;
    if (picture !== null && answer.code === 400 && pictureWords.test(answer.description)) {
      // The text matters more than the picture, whatever was wrong with it.
      picture = null;
      continue;
    }
    if (answer.code !== 429) return answer;
    const retryAfterMs = Math.max(retryAfterMinMs, answer.retryAfterMs ?? 0);
    limits.limited(chatId, retryAfterMs);
    await noteLimit(db, chatId, retryAfterMs).catch(() => {});
    if (performance.now() - beganAtMs + retryAfterMs > retryAfterMaxMs[kind]) return answer;
    await delay(retryAfterMs, undefined, { signal: tasks.stopping });
  }
}

async function sayOnce(
  reply: AskedReply,
  picture: Picture,
  { db, gate, limits, transport, pictures }: SendingParts,
  { stopping, answerBy }: Tasks,
): Promise<ReplyAnswer> {
  const { chatId, request } = reply;
  const { imageUrl } = request.content;
  const passed = await gate.passReply(reply, stopping);
  if ('waitMs' in passed) return { kind: 'limited', waitMs: passed.waitMs };
  const answer = await transport({ chatId, ...request, editsMessageId: null }, picture, answerBy());
  const mayCount = answer.kind === 'refused' ? 'does-not-count' : 'may-count';
  limits.end(passed, answer.kind === 'sent' ? 'arrived' : mayCount);
  gate.check();
  if (answer.kind !== 'sent') return answer;
  // A sent reply counts as sent, even if the database fails.
  const notes = [noteArrived(db, chatId, { hasPhoto: answer.fileId !== null })];
  if (picture?.kind === 'bytes' && imageUrl !== null && answer.fileId !== null) {
    pictures.drop(imageUrl);
    notes.push(rememberFileId(db, imageUrl, answer.fileId));
  }
  await Promise.allSettled(notes);
  return answer;
}
