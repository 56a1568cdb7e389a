import { Agent, request } from 'node:http';

/**
 * A process of its own: visitors, each with one connection that is kept, who come at a constant rate whether the answers
 * before them were quick or not (an open loop). Told by its parent how long and how often; answers what every call took.
 */
export interface VisitRound {
  readonly visitorCount: number;
  /** Of all visitors together, who take turns. */
  readonly visits: number;
  readonly visitsPerSecond: number;
  /** What one visit asks for, one after the other; a visitor has one connection for each server among them. */
  readonly urls: readonly string[];
  /** What the answers are expected to be; 200 when left out. */
  readonly status?: number;
}

export interface VisitAnswer {
  /** For each address what each call took, waiting for one's own connection included. */
  readonly tookMs: readonly (readonly number[])[];
  /** Answers other than expected, and calls without one. */
  readonly failed: number;
  readonly connections: number;
}

const agents: Agent[] = [];

const agentOf = (visitor: number): Agent => (agents[visitor] ??= new Agent({ keepAlive: true, maxSockets: 1 }));

/** Whether it was answered as expected. */
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
