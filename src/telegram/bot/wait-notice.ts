import type { Update } from 'grammy/types';

import { waitNotice } from '../core/wait-texts.ts';
import { answer } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';

const saidAgainAfterMs = 60_000;
/** Beyond it the oldest are forgotten. */
const rememberedMax = 5_000;

/** Says in a chat that the bot waits, and how long: once a minute, as it costs one of the chat's messages itself. Never throws. */
export type SayWait = (update: Update, waitMs: number) => Promise<void>;

export function createSayWait({ sendNow }: Pick<BotDeps, 'sendNow'>, nowMs: () => number): SayWait {
  const saidAtMs = new Map<number, number>();
  return async ({ message }, waitMs) => {
    if (message === undefined) return;
    const { id } = message.chat;
    const said = saidAtMs.get(id);
    if (said !== undefined && nowMs() - said < saidAgainAfterMs) return;
    saidAtMs.delete(id);
    saidAtMs.set(id, nowMs());
    const [oldest = id] = saidAtMs.keys();
    if (saidAtMs.size > rememberedMax) saidAtMs.delete(oldest);
    await answer({ sendNow }, message, waitNotice(waitMs), { kind: 'notice' }).catch(() => saidAtMs.delete(id));
  };
}
