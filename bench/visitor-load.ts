import { Agent, request } from 'node:http';

/**
 * A separate process: visitors with one kept connection each, who come at a constant rate however long earlier answers take (an
 * open loop). The parent sends a round; the answer has the time of every call.
 */
export interface VisitRound {
  readonly visitorCount: number;
  /** In total; the visitors take turns. */
  readonly visits: number;
  readonly visitsPerSecond: number;
  /** One visit asks for them one after the other; a visitor has one connection for each server. */
  readonly urls: readonly string[];
  /** The expected status; 200 when left out. */
  readonly status?: number;
}

export interface VisitAnswer {
  /** For each URL the time of each call, including the wait for the visitor's connection. */
  readonly tookMs: readonly (readonly number[])[];
  /** Answers other than expected, and calls without one. */
  readonly failed: number;
  readonly connections: number;
}

const agents: Agent[] = [];

const agentOf = (visitor: number): Agent => (agents[visitor] ??= new Agent({ keepAlive: true, maxSockets: 1 }));

/** Resolves with whether the answer had the expected status. */
const ask = (url: string, agent: Agent, status: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request(url, { agent, headers: { 'accept-encoding': 'br' } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === status));
      response.once('error', () => resolve(false));
    });
    asked.once('error', () => resolve(false));
    asked.end();
  });

const run = async ({
  visitorCount,
  visits: total,
  visitsPerSecond,
  urls,
  status = 200,
}: VisitRound): Promise<VisitAnswer> => {
  const tookMs: number[][] = urls.map(() => []);
  let failed = 0;
  const visit = async (visitor: number): Promise<void> => {
    let fromMs = performance.now();
    for (const [index, url] of urls.entries()) {
      if (!(await ask(url, agentOf(visitor), status))) failed += 1;
      const now = performance.now();
      tookMs[index]?.push(now - fromMs);
      fromMs = now;
    }
  };
  const startMs = performance.now();
  const visits: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const next = (): void => {
      while (visits.length < total) {
        const waitMs = startMs + (visits.length / visitsPerSecond) * 1_000 - performance.now();
        if (waitMs > 0) {
          setTimeout(next, waitMs);
          return;
        }
        visits.push(visit(visits.length % visitorCount));
      }
      resolve();
    };
    next();
  });
  await Promise.all(visits);
  const connections = agents.reduce((sum, agent) => sum + Object.values(agent.freeSockets).flat().length, 0);
  return { tookMs, failed, connections };
};

process.on('message', (round: VisitRound) => {
  void run(round).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
