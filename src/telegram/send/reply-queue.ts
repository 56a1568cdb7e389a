import { setTimeout as delay } from 'node:timers/promises';

import type { PictureStore } from '../pictures/picture-store.ts';
import type { SendGate } from './gate.ts';
import type { ReplyKind, SendLimits } from './limits.ts';
import type { Picture, Pictures, SendAnswer, Transport } from './message.ts';
import type { AskedReply, ReplyAnswer, ReplyStore } from './reply-store.ts';
import { createTasks, type Tasks, type TaskTimes } from './tasks.ts';

export interface ReplyQueue {
  /** A new reply may wait. */
  refill(): Promise<void>;
  /** Starts nothing more; resolves when nothing is in progress. */
  end(): Promise<void>;
}

export interface ReplyQueueOptions {
  readonly store: ReplyStore;
  readonly pictureStore: PictureStore;
  readonly transport: Transport;
  readonly pictures: Pictures;
  readonly limits: SendLimits;
  readonly gate: SendGate;
  readonly times: TaskTimes;
  /** Never throws. */
  readonly settle: (reply: AskedReply, answer: ReplyAnswer, abandoned: AbortSignal) => Promise<void>;
  /** The bot may write in the chat. */
  readonly onArrived: (chatId: string) => Promise<void>;
  readonly onLimited: (chatId: string, retryAfterMs: number) => Promise<void>;
}

/** Asked to wait longer in total, the reply is dropped: no one expects it any more. */
const retryAfterMaxMs: Readonly<Record<ReplyKind, number>> = { question: 4_000, notice: 2_000, change: 30_000 };
/** If Telegram names no time. */
const retryAfterMinMs = 1_000;
const pictureWords = /photo|image|file|wrong type/i;

/** Sends immediate replies, in whatever order the limits of chat and kind allow. */
export function createReplyQueue(options: ReplyQueueOptions): ReplyQueue {
  const tasks = createTasks(options.times);
  const serve = async (reply: AskedReply): Promise<void> => {
    const answer = await sayPatiently(reply, options, tasks).catch((error: unknown): ReplyAnswer => ({
      kind: 'unanswered',
      reason: error instanceof Error ? error.message : String(error),
      isDoubtful: false,
    }));
    await options.settle(reply, answer, tasks.abandoned);
  };
  return {
    refill: async () => {
      if (tasks.stopping.aborted) return;
      for (const reply of await options.store.begin()) tasks.add(() => serve(reply));
    },
    end: tasks.end,
  };
}

/** Throws if stopped before anything was sent. */
async function sayPatiently(reply: AskedReply, options: ReplyQueueOptions, tasks: Tasks): Promise<ReplyAnswer> {
  const { chatId, kind, request } = reply;
  let picture = await findPicture(request.content.imageUrl, options);
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
    options.limits.limited(chatId, retryAfterMs);
    await options.onLimited(chatId, retryAfterMs).catch(() => {});
    if (performance.now() - beganAtMs + retryAfterMs > retryAfterMaxMs[kind]) return answer;
    await delay(retryAfterMs, undefined, { signal: tasks.stopping });
  }
}

async function sayOnce(
  reply: AskedReply,
  picture: Picture,
  { gate, limits, transport, pictures, pictureStore, onArrived }: ReplyQueueOptions,
  { stopping, answerBy }: Tasks,
): Promise<ReplyAnswer> {
  const { chatId, request } = reply;
  const passed = await gate.passReply(reply, stopping);
  if ('waitMs' in passed) return { kind: 'limited', waitMs: passed.waitMs };
  const answer = await transport.send({ chatId, ...request, editsMessageId: null }, picture, answerBy());
  limits.end(passed, endOf(answer));
  gate.check();
  if (answer.kind !== 'sent') return answer;
  const { imageUrl } = request.content;
  const uploaded = picture?.kind === 'bytes' && imageUrl !== null ? answer.fileId : null;
  if (uploaded !== null && imageUrl !== null) pictures.drop(imageUrl);
  // A sent reply counts as sent, even if the database fails.
  await Promise.allSettled([
    onArrived(chatId),
    uploaded !== null && imageUrl !== null && pictureStore.rememberFileId(imageUrl, uploaded),
  ]);
  return { kind: 'sent', messageId: answer.messageId };
}

const endOf = ({ kind }: SendAnswer) =>
  kind === 'sent' ? 'arrived' : kind === 'refused' ? 'does-not-count' : 'may-count';

async function findPicture(
  imageUrl: string | null,
  { pictureStore, pictures }: Pick<ReplyQueueOptions, 'pictureStore' | 'pictures'>,
): Promise<Picture> {
  if (imageUrl === null) return null;
  const { fileId, isFailing } = await pictureStore.read(imageUrl);
  if (isFailing) return null;
  if (fileId !== null) return { kind: 'file-id', fileId };
  if (pictures.get(imageUrl) === null) await pictures.prepare(imageUrl);
  const bytes = pictures.get(imageUrl);
  return bytes === null ? null : { kind: 'bytes', bytes };
}
