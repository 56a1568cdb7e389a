import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { marketPoll, marketPollStart } from '../../src/market/poll/activity.ts';
import type { Log } from '../../src/process/logger.ts';

const idle = { atOnce: 0, failing: 'Never run', run: () => Promise.resolve() };

/** Sends jobs that poll collections, and runs none itself. */
export async function startPollSender(url: string, log: Pick<Log, 'info' | 'warn'>): Promise<Jobs> {
  const sender = createJobs({ url, log });
  sender.add({ ...marketPoll, ...idle });
  sender.add({ ...marketPollStart, ...idle });
  await sender.start();
  return sender;
}
