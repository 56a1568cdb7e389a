/** The most messages in any sliding window; Telegram publishes roughly these values (Bot FAQ, 'My bot is hitting limits'). */
export type LimitSettings = {
  enforced: boolean;
  overallPerSecond: number;
  perGroupPerMinute: number;
  perChatPerSecond: number;
};

export const publishedLimits: LimitSettings = {
  enforced: true,
  overallPerSecond: 30,
  perGroupPerMinute: 20,
  perChatPerSecond: 1,
};

export type SendLimits = {
  settings: LimitSettings;
  /** Null: the message passes and is counted. Otherwise the seconds to wait; a refused message is not counted. */
  take: (chatId: number, isGroup: boolean) => number | null;
  /** Refusals by the limit that was exceeded. */
  refusals: { overall: number; group: number; chat: number };
  reset: () => void;
};

const secondMs = 1000;
const minuteMs = 60_000;

/** No tolerance: what passes here also passes Telegram's limits. `nowMs` must not go backwards. */
export function createSendLimits(nowMs: () => number): SendLimits {
  let overall: number[] = [];
  const chats = new Map<number, number[]>();
  const refusals = { overall: 0, group: 0, chat: 0 };
  let sweptAtMs = 0;
  const sweep = (atMs: number): void => {
    if (atMs - sweptAtMs < minuteMs) return;
    sweptAtMs = atMs;
    for (const [chatId, times] of chats) if ((times.at(-1) ?? 0) <= atMs - minuteMs) chats.delete(chatId);
  };
  const limits: SendLimits = {
    settings: { ...publishedLimits },
    refusals,
    take: (chatId, isGroup) => {
      if (!limits.settings.enforced) return null;
      const { overallPerSecond, perGroupPerMinute, perChatPerSecond } = limits.settings;
      const atMs = nowMs();
      sweep(atMs);
      overall = overall.filter((time) => time > atMs - secondMs);
      const times = (chats.get(chatId) ?? []).filter((time) => time > atMs - minuteMs);
      const rules = [
        { rule: 'overall', times: overall, most: overallPerSecond, perMs: secondMs },
        ...(isGroup ? [{ rule: 'group', times, most: perGroupPerMinute, perMs: minuteMs } as const] : []),
        {
          rule: 'chat',
          times: times.filter((time) => time > atMs - secondMs),
          most: perChatPerSecond,
          perMs: secondMs,
        },
      ] as const;
      let waitMs = 0;
      for (const { rule, times: counted, most, perMs } of rules) {
        const freeing = counted.at(-most);
        if (counted.length < most || freeing === undefined) continue;
        refusals[rule] += 1;
        waitMs = Math.max(waitMs, freeing + perMs - atMs);
      }
      if (waitMs > 0) return Math.max(1, Math.ceil(waitMs / secondMs));
      overall.push(atMs);
      times.push(atMs);
      chats.set(chatId, times);
      return null;
    },
    reset: () => {
      overall = [];
      chats.clear();
      Object.assign(refusals, { overall: 0, group: 0, chat: 0 });
    },
  };
  return limits;
}
