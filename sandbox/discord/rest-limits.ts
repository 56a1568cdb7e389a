export type RestLimitSettings = {
  enforced: boolean;
  /** All calls with the bot's token; interaction callbacks and their webhooks are not counted. */
  globalPerSecond: number;
  /** Changes of members' roles, per server. */
  memberRolesPer10Seconds: number;
  /** Messages sent, edited and deleted, per channel. */
  messagesPer5Seconds: number;
  /** Every other route, per server, channel or interaction. */
  othersPerSecond: number;
  /** 401, 403 and 429 together; this many get the address banned (documentation: 'Invalid Request Limit'). */
  invalidPer10Minutes: number;
};

/** 50 per second is published; the others match what Discord's headers show, or are more generous. */
export const usualLimits: RestLimitSettings = {
  enforced: true,
  globalPerSecond: 50,
  memberRolesPer10Seconds: 10,
  messagesPer5Seconds: 5,
  othersPerSecond: 10,
  invalidPer10Minutes: 10_000,
};

export type BucketKind = 'member-roles' | 'messages' | 'other';
/** Calls with the same `key` share a bucket; it is, for example, the route and a server's id. */
type LimitedCall = { kind: BucketKind; key: string; isGlobal: boolean };

export type LimitReading = {
  bucket: string;
  limit: number;
  remaining: number;
  resetAfterMs: number;
  /** Milliseconds to wait if the call is refused, otherwise null. */
  refusedForMs: number | null;
  scope: 'user' | 'global';
};

export type RestLimits = {
  settings: RestLimitSettings;
  /** Null when limits are off. A refused call is counted only in `refusals`. */
  take: (call: LimitedCall) => LimitReading | null;
  /** Refuses every call with the bot's token for this long, as after exceeding the global limit. */
  shutGlobally: (forMs: number) => void;
  refusals: { global: number; bucket: number };
  /** Counts a refusal that Discord holds against the address: 401, 403, 429. */
  countInvalid: () => void;
  invalidRequests: () => number;
  busiestSecond: () => number;
  resetCounters: () => void;
  reset: () => void;
};

type Window = { endsAtMs: number; passed: number };
type Refuse = (scope: 'user' | 'global', waitMs: number) => LimitReading;
const tenMinutesMs = 600_000;
const keptWindows = 5000;

/** Fixed windows that begin with their first call, as Discord's reset header describes them. */
function createWindows(nowMs: () => number) {
  const windows = new Map<string, Window>();
  const forgetEnded = (atMs: number): void => {
    for (const [key, { endsAtMs }] of windows) if (endsAtMs <= atMs) windows.delete(key);
  };
  return {
    of: (key: string, perMs: number): Window => {
      const atMs = nowMs();
      const known = windows.get(key);
      if (known && known.endsAtMs > atMs) return known;
      if (windows.size > keptWindows) forgetEnded(atMs);
      const fresh = { endsAtMs: atMs + perMs, passed: 0 };
      windows.set(key, fresh);
      return fresh;
    },
    clear: () => windows.clear(),
  };
}

/** `nowMs` must not go backwards. */
export function createRestLimits(nowMs: () => number): RestLimits {
  const windows = createWindows(nowMs);
  const refusals = { global: 0, bucket: 0 };
  let invalid: number[] = [];
  let busiest = 0;
  let shutUntilMs = 0;
  const limits: RestLimits = {
    settings: { ...usualLimits },
    refusals,
    take: ({ kind, key, isGlobal }) => {
      const { enforced, globalPerSecond } = limits.settings;
      const second = isGlobal ? windows.of('global', 1000) : null;
      const { limit, perMs } = rulesOf(limits.settings)[kind];
      const window = windows.of(`${kind}/${key}`, perMs);
      const refuse: Refuse = (scope, waitMs) => {
        refusals[scope === 'global' ? 'global' : 'bucket'] += 1;
        return { bucket: kind, limit, remaining: 0, resetAfterMs: waitMs, refusedForMs: waitMs, scope };
      };
      if (enforced && second && shutUntilMs > nowMs()) return refuse('global', shutUntilMs - nowMs());
      if (enforced && second && second.passed >= globalPerSecond) return refuse('global', second.endsAtMs - nowMs());
      const resetAfterMs = window.endsAtMs - nowMs();
      if (enforced && window.passed >= limit) return refuse('user', resetAfterMs);
      window.passed += 1;
      if (second) {
        second.passed += 1;
        busiest = Math.max(busiest, second.passed);
      }
      const remaining = limit - window.passed;
      return enforced ? { bucket: kind, limit, remaining, resetAfterMs, refusedForMs: null, scope: 'user' } : null;
    },
    shutGlobally: (forMs) => {
      shutUntilMs = nowMs() + forMs;
    },
    countInvalid: () => {
      invalid.push(nowMs());
    },
    invalidRequests: () => {
      invalid = invalid.filter((atMs) => atMs > nowMs() - tenMinutesMs);
      return invalid.length;
    },
    busiestSecond: () => busiest,
    resetCounters: () => {
      Object.assign(refusals, { global: 0, bucket: 0 });
      invalid = [];
      busiest = 0;
    },
    reset: () => {
      windows.clear();
      shutUntilMs = 0;
      limits.resetCounters();
    },
  };
  return limits;
}

function rulesOf(settings: RestLimitSettings): Record<BucketKind, { limit: number; perMs: number }> {
  return {
    'member-roles': { limit: settings.memberRolesPer10Seconds, perMs: 10_000 },
    messages: { limit: settings.messagesPer5Seconds, perMs: 5000 },
    other: { limit: settings.othersPerSecond, perMs: 1000 },
  };
}
