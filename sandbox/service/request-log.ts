import type { FaultKind } from '../faults/fault-board.ts';

/** One call that reached a service. `status` null: not answered (hang, reset, or still running). */
export type LoggedRequest = {
  at: string;
  method: string;
  path: string;
  operations: string[];
  status: number | null;
  fault: FaultKind | null;
};

/** The requests to one service since the last reset. */
type ServiceLog = {
  count: number;
  inFlight: number;
  maxInFlight: number;
  byOperation: Record<string, number>;
  /** The newest requests, oldest first. */
  entries: LoggedRequest[];
};

export type RequestLog = {
  of: (service: string) => ServiceLog;
  all: () => Record<string, ServiceLog>;
  reset: () => void;
  /** Called by a service when a request arrives; the returned function ends it. */
  begin: (service: string, request: LoggedRequest) => (status: number | null) => void;
};

const keptEntries = 2000;

function emptyLog(): ServiceLog {
  return { count: 0, inFlight: 0, maxInFlight: 0, byOperation: {}, entries: [] };
}

/** Counts and keeps the requests to every service of a sandbox. */
export function createRequestLog(): RequestLog {
  const logs = new Map<string, ServiceLog>();
  const of = (service: string): ServiceLog => {
    const log = logs.get(service) ?? emptyLog();
    logs.set(service, log);
    return log;
  };
  return {
    of,
    all: () => Object.fromEntries(logs),
    reset: () => {
      for (const log of logs.values()) Object.assign(log, emptyLog(), { inFlight: log.inFlight });
    },
    begin: (service, request) => {
      const log = of(service);
      log.count += 1;
      log.inFlight += 1;
      log.maxInFlight = Math.max(log.maxInFlight, log.inFlight);
      for (const operation of request.operations) {
        log.byOperation[operation] = (log.byOperation[operation] ?? 0) + 1;
      }
      log.entries.push(request);
      if (log.entries.length > keptEntries) log.entries.shift();
      let ended = false;
      return (status) => {
        if (ended) return;
        ended = true;
        log.inFlight -= 1;
        request.status = status;
      };
    },
  };
}
