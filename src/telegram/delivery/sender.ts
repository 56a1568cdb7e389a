import type { Logger } from '../../platform/logger.ts';
import { createAlarm } from '../../platform/alarm.ts';
import { type Preparations, createPreparations } from './preparations.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { createOutageWatch } from './outage-watch.ts';
import { createUploads } from './uploads.ts';
import type { BacklogDigest, ClaimAnswer, ClaimAsk, Outbox, PictureShelf, Transport } from './outbox.ts';

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
}

export const senderLimits: SenderLimits = {
  stopWithinMs: 4_000,
  answerWithinMs: 15_000,
};

/** Until something rings. */
const longestSleepMs = 60_000;
/** For the last words to the database. */
const writeWithinMs = 300;
const firstRetryMs = 250;
const longestRetryMs = 2_000;
/** After an outage of the database its other users first write down what they know. */
const takeOverAfterMs = 5_000;

/**
 * Sends the outbox, four messages at a time and one a chat (rulings R4). One loop does all the writing: each turn writes down what
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
      if (ending !== null) stopping = both(stopping, ending.stop());
      return stopping;
    },
    wake: () => running?.wake(),
  };
}

async function both(one: Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.all([one, other]);
}

interface Running {
  stop(): Promise<void>;
  wake(): void;
}

function startRunning(options: SenderOptions): Running {
  const { limits } = options;
  const alarm = createAlarm();
  const inFlight = createInFlight(options, alarm.ring, createOutageWatch(options.outbox, options.log));
  const stopping = new AbortController();
  const turn = createTurn(options, {
    inFlight,
    preparations: createPreparations(options, alarm.ring),
    stopping: stopping.signal,
  });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted || inFlight.isBusy()) {
      const { waitMs, isFailing } = await turn();
      if (waitMs > 0) await alarm.wait(waitMs, !isFailing);
    }
  };
  const ended = run();
  return {
    wake: alarm.ring,
    stop: async () => {
      stopping.abort();
      alarm.ring();
      const cut = setTimeout(() => inFlight.cut(), limits.stopWithinMs);
      // The database may be away: what is on its way is then found as doubtful once its claim has ended.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const giveUp = setTimeout(resolve, limits.stopWithinMs + writeWithinMs);
      await Promise.race([ended, late]);
      clearTimeout(cut);
      clearTimeout(giveUp);
      inFlight.abandon();
    },
  };
}

interface TurnParts {
  readonly inFlight: InFlight;
  readonly preparations: Preparations;
  readonly stopping: AbortSignal;
}

/** One transaction with what there is to write and to claim; answers how long there is nothing to do. Never throws. */
function createTurn({ outbox, pictures, log }: SenderOptions, { inFlight, preparations, stopping }: TurnParts) {
  const uploads = createUploads(pictures);
  let failures = 0;
  let trustedFromMs = 0;
  const claimAsk = (): ClaimAsk => ({
    excludedChatIds: [...inFlight.chatIds(), ...preparations.chatIds(), ...uploads.waitingChatIds()],
    isPictureReady: (imageUrl) => pictures.get(imageUrl) !== null && !uploads.isUnderWay(imageUrl),
    mayTakeOver: performance.now() >= trustedFromMs,
  });
  const follow = (answer: ClaimAnswer): number => {
    if (answer.kind === 'wait') return answer.waitMs;
    if (answer.kind === 'claimed') {
      uploads.begin(answer.message);
      inFlight.begin(answer.message);
    } else if (answer.kind !== 'picture-first' || !uploads.waitFor(answer.imageUrl, answer.chatId))
      preparations.begin(answer);
    return 0;
  };
  /** 0 also when it has just come to that: then the next turn claims, and nobody sleeps through it. */
  const msUntilClaim = (): number =>
    stopping.aborted || !preparations.hasRoom() ? longestSleepMs : Math.min(longestSleepMs, inFlight.msUntilMayBegin());
  return async (): Promise<{ readonly waitMs: number; readonly isFailing: boolean }> => {
    const isClaiming = msUntilClaim() === 0;
    const settlements = inFlight.takeSettlements();
    if (settlements.length === 0 && !isClaiming) return { waitMs: msUntilClaim(), isFailing: false };
    try {
      const answer = await outbox.step(settlements, isClaiming ? claimAsk() : null);
      failures = 0;
      uploads.written(settlements);
      const waitMs = isClaiming ? follow(answer) : msUntilClaim();
      return { waitMs: inFlight.hasSettlements() ? 0 : waitMs, isFailing: false };
    } catch (error) {
      inFlight.putBack(settlements);
      failures += 1;
      trustedFromMs = performance.now() + takeOverAfterMs;
      // A message on its way when the database went is not lost: its end is written down as soon as that is back.
      log[failures === 1 ? 'warn' : 'debug']({ err: error }, 'The outbox cannot be read or written; trying again');
      return { waitMs: Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 8)), isFailing: true };
    }
  };
}
