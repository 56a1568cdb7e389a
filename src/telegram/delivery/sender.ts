import type { Logger } from '../../platform/logger.ts';
import { createOutageWatch } from './outage-watch.ts';
import type { BacklogDigest, ClaimAnswer, Outbox, PictureShelf, Transport } from './outbox.ts';
import { createFlights } from './flights.ts';
import { createAlarm } from './alarm.ts';

export interface Sender {
  /** Begins to send; harmless when it does already. */
  start(): void;
  /** Ends what is on its way, or gives it back as doubtful when that takes too long. May be started again. */
  stop(): Promise<void>;
  /** Something new waits in the outbox. */
  wake(): void;
}

export interface SenderOptions {
  readonly outbox: Outbox;
  readonly transport: Transport;
  readonly pictures: PictureShelf;
  readonly backlog: BacklogDigest;
  readonly log: Logger;
  readonly limits: SenderLimits;
}

export interface SenderLimits {
  /** The whole product stops within 4.8 s. */
  readonly stopWithinMs: number;
  /** Longer than that an answer cannot be waited for: it is in doubt. */
  readonly answerWithinMs: number;
  /** Only beside an answer that takes longer does a further message begin: so a killed copy leaves one in doubt. */
  readonly slowAfterMs: number;
  readonly inFlightMax: number;
}

export const senderLimits: SenderLimits = {
  stopWithinMs: 4_000,
  answerWithinMs: 25_000,
  slowAfterMs: 400,
  inFlightMax: 8,
};

const preparingMax = 6;
const firstRetryMs = 250;
const longestRetryMs = 2_000;
/** After an outage of the database its other users first write down what they know. */
const takeOverAfterMs = 5_000;

/**
 * Sends the outbox, one message after the other (rulings R4). One loop does all the writing: each turn writes down what
 * became of messages and marks the next one in the same transaction, so the mark costs no commit of its own.
 */
export function createSender(options: SenderOptions): Sender {
  let running: Running | null = null;
  let stopping: Promise<void> = Promise.resolve();
  return {
    start: () => {
      running ??= startRunning(options);
    },
    stop: () => {
      const ending = running;
      running = null;
      if (ending !== null) stopping = Promise.all([stopping, ending.stop()]).then(() => {});
      return stopping;
    },
    wake: () => running?.wake(),
  };
}

interface Running {
  stop(): Promise<void>;
  wake(): void;
}

function startRunning(options: SenderOptions): Running {
  const { outbox, limits, log } = options;
  const alarm = createAlarm();
  const flights = createFlights(options, alarm.ring, createOutageWatch(outbox, log));
  const chores = createChores(options, alarm.ring);
  let isStopping = false;
  let failures = 0;
  let trustedFromMs = 0;

  const mayClaim = (): boolean => !isStopping && flights.mayBegin() && chores.count() < preparingMax;

  const turn = async (): Promise<number> => {
    const settlements = flights.takeSettlements();
    const isClaiming = mayClaim();
    if (settlements.length === 0 && !isClaiming) return flights.msUntilSlow();
    try {
      const answer = await outbox.step(settlements, isClaiming ? claimAsk() : null);
      failures = 0;
      return isClaiming ? follow(answer) : flights.msUntilSlow();
    } catch (error) {
      flights.putBack(settlements);
      return failed(error);
    }
  };
  const claimAsk = () => ({
    excludedChatIds: [...flights.chatIds(), ...chores.chatIds()],
    isPictureReady: (imageUrl: string) => options.pictures.get(imageUrl) !== null,
    mayTakeOver: performance.now() >= trustedFromMs,
  });
  const follow = (answer: ClaimAnswer): number => {
    if (answer.kind === 'wait') return answer.waitMs;
    if (answer.kind === 'claimed') flights.begin(answer.message);
    else chores.begin(answer);
    return 0;
  };
  const failed = (error: unknown): number => {
    failures += 1;
    trustedFromMs = performance.now() + takeOverAfterMs;
    // A message on its way when the database went is not lost: its end is written down as soon as that is back.
    log[failures === 1 ? 'warn' : 'debug']({ err: error }, 'The outbox cannot be read or written; trying again');
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 8));
  };

  const run = async (): Promise<void> => {
    while (!isStopping || flights.isBusy()) {
      const waitMs = await turn();
      if (waitMs > 0) await alarm.wait(failures > 0 ? waitMs : Math.min(waitMs, flights.msUntilSlow()), failures === 0);
    }
  };
  const ended = run();
  return {
    wake: alarm.ring,
    stop: async () => {
      isStopping = true;
      alarm.ring();
      const cut = setTimeout(() => flights.cut(), limits.stopWithinMs);
      // The database may be away: what is on its way is then found as doubtful once its claim has ended.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const giveUp = setTimeout(resolve, limits.stopWithinMs + 300);
      await Promise.race([ended, late]);
      clearTimeout(cut);
      clearTimeout(giveUp);
      flights.abandon();
    },
  };
}

type Chore = Extract<ClaimAnswer, { kind: 'picture-first' | 'backlog-first' }>;

/** What has to be done in a chat before its next message; other chats go on meanwhile. */
function createChores({ pictures, backlog, log }: SenderOptions, ring: () => void) {
  const chats = new Set<string>();
  return {
    count: () => chats.size,
    chatIds: () => [...chats],
    begin: (chore: Chore): void => {
      const { chatId } = chore;
      chats.add(chatId);
      const work = chore.kind === 'picture-first' ? pictures.prepare(chore.imageUrl) : backlog.compact(chatId);
      void work
        .catch((error: unknown) => log.warn({ err: error, chatId }, 'A message could not be made ready; trying again'))
        .finally(() => {
          chats.delete(chatId);
          ring();
        });
    },
  };
}
