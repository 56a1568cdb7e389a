import { setTimeout as delay } from 'node:timers/promises';

import type { OutageWatch } from './outage-watch.ts';
import { type ClaimedMessage, inFlightMax, type Picture, type SendAnswer, type Settlement } from './outbox.ts';
import { readAnswer } from './read-answer.ts';
import type { SenderOptions } from './sender.ts';

/** Messages that are marked as on their way, and those whose end is not written down yet. */
export interface InFlight {
  begin(message: ClaimedMessage): void;
  /** 0: another may begin now. Infinite: as many are on their way as may be. */
  msUntilMayBegin(): number;
  isBusy(): boolean;
  chatIds(): readonly string[];
  /** One at a time: most are written and followed by the next claim in a single statement. */
  takeSettlements(): readonly Settlement[];
  hasSettlements(): boolean;
  putBack(settlements: readonly Settlement[]): void;
  /** Waits for no answer any more. */
  cut(): void;
  /** Their ends are not wanted any more. */
  abandon(): void;
}

/**
 * A quick answer is waited for: it is written down with the next claim in one statement, and a killed copy leaves one message in
 * doubt. Less than the 33 ms from one message to the next, so the rate is not held back.
 */
const besideAfterMs = 25;

export function createInFlight(options: SenderOptions, ring: () => void, outages: OutageWatch): InFlight {
  const sending = new Map<string, ClaimedMessage>();
  const stopped = new AbortController();
  let settlements: Settlement[] = [];
  let isAbandoned = false;

  const send = async (message: ClaimedMessage): Promise<void> => {
    await untilDue(message);
    const picture = pictureOf(message, options);
    const answer = await sendWithin(message, picture, options, stopped.signal);
    const arrivedAfterMs = performance.now() - message.gateEarliestMs;
    const outcome = readAnswer(answer, message, picture);
    if (answer.kind === 'refused') {
      const { code, description } = answer;
      options.log.info(
        { chatId: message.chatId, messageId: message.id, code, description },
        'Telegram refused a message',
      );
    }
    if (!stopped.signal.aborted) await outages.told(message.chatId, answer);
    sending.delete(message.id);
    settlements.push({ message, outcome, arrivedAfterMs });
    if (!isAbandoned) ring();
  };

  return {
    begin: (message) => {
      sending.set(message.id, message);
      void send(message);
    },
    msUntilMayBegin: () => {
      if (sending.size >= inFlightMax) return Number.POSITIVE_INFINITY;
      const sentAtMs = [...sending.values()].map(({ gateLatestMs }) => gateLatestMs);
      return Math.max(
        0,
        Math.ceil(Math.max(...sentAtMs, Number.NEGATIVE_INFINITY) + besideAfterMs - performance.now()),
      );
    },
    isBusy: () => sending.size > 0 || settlements.length > 0,
    chatIds: () => [...sending.values(), ...settlements.map(({ message }) => message)].map(({ chatId }) => chatId),
    takeSettlements: () => settlements.splice(0, 1),
    hasSettlements: () => settlements.length > 0,
    putBack: (taken) => {
      settlements = [...taken, ...settlements];
    },
    cut: () => stopped.abort(),
    abandon: () => {
      isAbandoned = true;
      settlements = [];
    },
  };
}

/** Timers may be a little early; Telegram's clock is not. */
async function untilDue({ gateLatestMs }: ClaimedMessage): Promise<void> {
  for (;;) {
    const leftMs = gateLatestMs - performance.now();
    if (leftMs <= 0) return;
    await delay(Math.ceil(leftMs));
  }
}

function pictureOf({ content, wantsPicture, fileId }: ClaimedMessage, { pictures }: SenderOptions): Picture {
  if (!wantsPicture || content.imageUrl === null) return null;
  if (fileId !== null) return { kind: 'file-id', fileId };
  const bytes = pictures.get(content.imageUrl);
  return bytes === null ? null : { kind: 'bytes', bytes };
}

async function sendWithin(
  message: ClaimedMessage,
  picture: Picture,
  { transport, limits }: SenderOptions,
  stop: AbortSignal,
): Promise<SendAnswer> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const timer = setTimeout(end, limits.answerWithinMs);
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    return await transport.send(message, picture, ended.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
}
