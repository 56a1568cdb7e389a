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
 * values of other types. `empty`: status 200 without a body. `huge`: the right answer behind 32 MiB of blanks. `reset`: the
 * connection is reset. `accepted-reset`,
 * `accepted-hang`, `accepted-slow`: the call is done first, then the connection is reset, stays silent, or is answered after
 * `delayMs`. `accepted-503`: the call is done first, and answered with a failure. `lie`: the right answer with one thing untrue in it;
 * only the full node's transactions can be lied about. `refused`: nobody listens.
 */
export type FaultKind = (typeof faultKinds)[number];

export const lies = ['recipient', 'amount', 'budget'] as const;
export type Lie = (typeof lies)[number];

export type Fault = {
  kind: FaultKind;
  /** Only calls of this operation; every call when left out. Not for `refused`. */
  operation?: string;
  /** How many calls it hits before it is gone; until cleared when left out. */
  times?: number;
  /** With `429` and `503`: the header of that name. */
  retryAfterSeconds?: number;
  /** With `slow`, `accepted-slow` and `drip`. */
  delayMs?: number;
  /** With `lie`: who is paid, how much, or the budget of gas that a node fills in. Left out: who is paid. */
  about?: Lie;
};

export type ServiceFaults = { faults: Fault[]; latencyMs: number };

/** Stops and resumes listening on the same port. */
type Listening = {
  stop: () => Promise<void>;
  resume: () => Promise<void>;
  /** Where connections last: a new fault ends those that are there, so that it is met. */
  breakOff?: () => void;
};

export type FaultBoard = {
  /** Adds a fault; a newer one goes first. Resolves once it is in force. */
  set: (service: string, fault: Fault) => Promise<void>;
  /** Takes away the faults (and latency) of one service, or of all. Resolves once it listens again. */
  clear: (service?: string) => Promise<void>;
  /** Milliseconds added before every answer of a service. */
  setLatency: (service: string, latencyMs: number) => void;
  of: (service: string) => ServiceFaults;
  services: () => string[];
  /** For services: the fault of this call, counted down. */
  take: (service: string, operations: readonly string[]) => Fault | null;
  register: (service: string, listening: Listening) => void;
};

/** Keeps the faults of every service of a sandbox. */
export function createFaultBoard(): FaultBoard {
  const board = new Map<string, ServiceFaults & { listening: Listening }>();
  const entryOf = (service: string) => {
    const entry = board.get(service);
    if (!entry) throw new Error(`No such service: ${service}. There are: ${[...board.keys()].join(', ')}`);
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
