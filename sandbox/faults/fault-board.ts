export const faultKinds = [
  '429',
  '500',
  '503',
  'hang',
  'slow',
  'drip',
  'truncated',
  'malformed',
  'wrong-types',
  'empty',
  'huge',
  'reset',
  'accepted-reset',
  'accepted-hang',
  'accepted-slow',
  'accepted-503',
  'lie',
  'refused',
] as const;

/**
 * How a service misbehaves. `slow`: answers after `delayMs`. `drip`: a few bytes every `delayMs`. `truncated`: ends after
 * half of the announced length. `malformed`: status 200 and a body that cannot be parsed. `wrong-types`: parses, but holds
 * values of other types. `empty`: status 200 without a body. `huge`: the right answer after 32 MiB of blanks. `reset`: the
 * connection is reset. `accepted-reset`, `accepted-hang`, `accepted-slow`, `accepted-503`: the call is executed, then the
 * connection is reset, stays silent, or is answered after `delayMs` or with a failure. `lie`: the right answer with one
 * false value; only for the full node's transactions. `refused`: the port is closed.
 */
export type FaultKind = (typeof faultKinds)[number];

export const lies = ['recipient', 'amount', 'budget'] as const;
export type Lie = (typeof lies)[number];

export type Fault = {
  kind: FaultKind;
  /** Only calls of this operation; every call when omitted. Not for `refused`. */
  operation?: string;
  /** How many calls it affects; when omitted, all until it is cleared. */
  times?: number;
  /** For `429` and `503`: the Retry-After header. */
  retryAfterSeconds?: number;
  /** For `slow`, `accepted-slow` and `drip`. */
  delayMs?: number;
  /** For `lie`: what is falsified, by default the recipient. `budget` is the gas budget that a node fills in. */
  about?: Lie;
};

export type ServiceFaults = { faults: Fault[]; latencyMs: number };

/** Stops and resumes listening on the same port. */
type Listening = {
  stop: () => Promise<void>;
  resume: () => Promise<void>;
  /** For long-lived connections: ends the open ones, so that a new fault takes effect. */
  breakOff?: () => void;
};

export type FaultBoard = {
  /** Adds a fault; newer ones apply first. Resolves once it is in effect. */
  set: (service: string, fault: Fault) => Promise<void>;
  /** Removes the faults (and latency) of one service, or of all. Resolves once it listens again. */
  clear: (service?: string) => Promise<void>;
  /** Milliseconds added before every answer of a service. */
  setLatency: (service: string, latencyMs: number) => void;
  of: (service: string) => ServiceFaults;
  services: () => string[];
  /** For services: returns the fault for this call and counts it down. */
  take: (service: string, operations: readonly string[]) => Fault | null;
  register: (service: string, listening: Listening) => void;
};

/** Keeps the faults of every service of a sandbox. */
export function createFaultBoard(): FaultBoard {
  const board = new Map<string, ServiceFaults & { listening: Listening }>();
  const entryOf = (service: string) => {
    const entry = board.get(service);
    if (!entry) throw new Error(`No such service: ${service}. Known services: ${[...board.keys()].join(', ')}`);
    return entry;
  };
  const clearOne = async (service: string): Promise<void> => {
    const entry = entryOf(service);
    entry.faults = [];
    entry.latencyMs = 0;
    await entry.listening.resume();
  };
  return {
    set: async (service, fault) => {
      const entry = entryOf(service);
      entry.faults.unshift({ ...fault });
      if (fault.kind === 'refused') await entry.listening.stop();
      entry.listening.breakOff?.();
    },
    clear: async (service) => {
      for (const name of service === undefined ? [...board.keys()] : [service]) await clearOne(name);
    },
    setLatency: (service, latencyMs) => {
      entryOf(service).latencyMs = latencyMs;
    },
    of: (service) => {
      const { faults, latencyMs } = entryOf(service);
      return { faults, latencyMs };
    },
    services: () => [...board.keys()],
    take: (service, operations) => takeFault(entryOf(service), operations),
    register: (service, listening) => {
      board.set(service, { faults: [], latencyMs: 0, listening });
    },
  };
}

function takeFault(entry: ServiceFaults, operations: readonly string[]): Fault | null {
  const fault = entry.faults.find((each) => each.operation === undefined || operations.includes(each.operation));
  if (!fault) return null;
  if (fault.times !== undefined) {
    fault.times -= 1;
    if (fault.times <= 0) entry.faults = entry.faults.filter((each) => each !== fault);
  }
  return fault;
}
