import type { FileStore } from './file-store.ts';
import { createFileStore } from './file-store.ts';
import type { Parameters } from './parameters.ts';
import type { SendLimits } from './send-limits.ts';
import { createSendLimits } from './send-limits.ts';
import type { Accepted, TelegramState } from './telegram-state.ts';
import { createTelegramState } from './telegram-state.ts';
import type { UpdateQueue } from './update-queue.ts';
import { createUpdateQueue } from './update-queue.ts';
import type { Webhook } from './webhook.ts';
import { createWebhook } from './webhook.ts';
import type { User } from './wire.ts';

/** One call and its answer. */
export type CallRecord = {
  method: string;
  parameters: Record<string, string>;
  /** Names of the uploaded fields. */
  uploads: string[];
  status: number;
  result: unknown;
  description: string | null;
  atMs: number;
};

/** All parts of this Telegram, as passed to every method. */
export type TelegramServer = {
  readonly token: string;
  state: TelegramState;
  readonly queue: UpdateQueue;
  readonly webhook: Webhook;
  readonly limits: SendLimits;
  readonly files: FileStore;
  readonly now: () => Date;
  /** Every message accepted since the last drain, in order. */
  accepted: Accepted[];
  acceptedCount: number;
  /** Photos sent as bytes. */
  photoUploads: number;
  /** Calls and answers by method. */
  callsByMethod: Map<string, number>;
  refusalsByCode: Map<number, number>;
  /** The newest calls, oldest first. */
  calls: CallRecord[];
};

/** Returns the `result` of a successful call; throws a Refusal otherwise. */
export type Method = (server: TelegramServer, parameters: Parameters, gone: AbortSignal) => unknown;

const botToken = '123456789:sandbox-token-of-no-real-bot-at-all';
export const botUser: User = {
  id: 123456789,
  is_bot: true,
  first_name: 'Sui Rocks (sandbox)',
  username: 'sui_rocks_sandbox_bot',
};

/**
 * Without a mark every start gives the same update ids. With one they are later than those of any earlier run, because a
 * bot that keeps its data between runs ignores an update id it has already seen.
 */
export function createTelegramServer(now: () => Date, runMark = ''): TelegramServer {
  const queue = createUpdateQueue(runMark === '' ? 800_000_000 : now().getTime());
  return {
    token: botToken,
    state: createTelegramState(botUser),
    queue,
    webhook: createWebhook(queue),
    // The product may run on a simulated clock; limits use real seconds.
    limits: createSendLimits(() => performance.now()),
    files: createFileStore(),
    now,
    accepted: [],
    acceptedCount: 0,
    photoUploads: 0,
    callsByMethod: new Map(),
    refusalsByCode: new Map(),
    calls: [],
  };
}
