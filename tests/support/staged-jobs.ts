import { dueWork, memberChecks } from '../../src/discord/roles/role-jobs.ts';
import { silentLog } from '../../src/db/outage.ts';
import { type JobDefinition, createJobs, type Jobs } from '../../src/jobs/jobs.ts';

/** Tests do not wait a second for what is due. */
const dueWorkEveryMs = 200;

/** Until it is started, it runs only the checks whose caller waits for them. */
export function stagedJobs(url: string): Pick<Jobs, 'add' | 'send' | 'sendAll'> & {
  start(): void;
  /** May be started again. */
  stop(): Promise<void>;
} {
  const added: ((jobs: Jobs) => void)[] = [];
  const checks: ((jobs: Jobs) => void)[] = [];
  const launch = async (adding: readonly ((jobs: Jobs) => void)[]): Promise<Jobs> => {
    const jobs = createJobs({ url, log: silentLog });
    for (const add of adding) add(jobs);
    await jobs.start();
    return jobs;
  };
  let asked: Promise<Jobs> | null = null;
  let started: Promise<Jobs> | null = null;
  return {
    add: <Payload extends object>(job: JobDefinition<Payload>) => {
      const sped = job.name === dueWork.name ? { ...job, everyMs: dueWorkEveryMs } : job;
      added.push((jobs) => jobs.add(sped));
      if (job.name === memberChecks.name) checks.push((jobs) => jobs.add(job));
    },
    send: async (job, ...rest) => {
      if (started === null && job.name !== memberChecks.name) return;
      await (await (started ?? (asked ??= launch(checks)))).send(job, ...rest);
    },
    sendAll: async (...sent) => (await started)?.sendAll(...sent),
    start: () => void (started ??= launch(added)),
    stop: async () => {
      const ending = [asked, started];
      [asked, started] = [null, null];
      await Promise.all(ending.map(async (jobs) => (await jobs)?.stop()));
    },
  };
}
