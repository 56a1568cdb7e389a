import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { RolePlatform } from '../ports.ts';
import { readDueWork } from './due-work.ts';
import { dueCheck, putOffCheck } from './member-check-store.ts';
import type { Decision } from './rules/decide.ts';
import { checksTopic } from './asked-checks.ts';
import { dueWork, memberChecks, removals, roleActions, sweeps } from './job-names.ts';
import type { MemberCheck } from './member-check.ts';
import { removalJob } from './removals.ts';
import { type RoleActionDeps, roleActionJob } from './role-action-job.ts';
import { type SweepDeps, sweepJob } from './sweep.ts';

interface RoleJobDeps extends Omit<RoleActionDeps & SweepDeps, 'platform' | 'jobs' | 'everyMs'> {
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly changes: Pick<ChangeSignal, 'publish'>;
  /** null: there is no bot. */
  readonly platform: RolePlatform | null;
  readonly settings: { readonly collectionType: string; readonly recheckMs: number };
  readonly memberCheck: MemberCheck;
  readonly expiry: JobDefinition<object>;
}

/** All jobs of the role engine. Without a bot only requested checks run. */
export function addRoleJobs(deps: RoleJobDeps): void {
  const { jobs, platform, settings, expiry } = deps;
  jobs.add(expiry);
  jobs.add(memberCheckJob(deps));
  if (platform === null) return;
  jobs.add(dueWorkJob(deps));
  jobs.add(roleActionJob({ ...deps, platform }));
  jobs.add(removalJob({ ...deps, collectionType: settings.collectionType }));
  jobs.add(sweepJob({ ...deps, everyMs: settings.recheckMs }));
}

/** Sends jobs for what the tables say is due, one per member, server or collection. */
const dueWorkJob = ({ db, jobs }: RoleJobDeps): JobDefinition<object> => ({
  ...dueWork,
  failing: 'Role work that is due could not be read',
  run: async () => {
    const due = await readDueWork(db);
    if (due === null) return;
    await jobs.sendAll(memberChecks, due.members);
    await jobs.sendAll(roleActions, due.actions);
    await jobs.sendAll(
      removals,
      due.removals.map((guildId) => ({ guildId })),
    );
    await jobs.sendAll(
      sweeps,
      due.nftTypes.map((nftType) => ({ nftType })),
    );
  },
});

/** Each costs several calls to the chain. */
const checksAtOnce = 8;
/** After a failure of ours, such as the database. */
const failurePauseMs = 15_000;

/** Checks a member who is due (rulings R5): after an event, for the second time, after a join, … */
const memberCheckJob = ({
  db,
  jobs,
  memberCheck,
  changes,
  log,
  platform,
}: RoleJobDeps): JobDefinition<{ guildId: string; userId: string }> => ({
  ...memberChecks,
  atOnce: checksAtOnce,
  failing: 'Members could not be checked',
  run: async (member, stop) => {
    const cause = await dueCheck(db, member);
    if (cause === null) return;
    try {
      const checked = await memberCheck.check({ ...member, cause }, stop);
      if (platform !== null && checked.kind === 'looked') await sendWhatFollows(jobs, member.guildId, checked.decision);
    } catch (error) {
      log.warn({ err: error, guildId: member.guildId }, 'A member could not be checked; trying again');
      await putOffCheck(db, member, failurePauseMs);
    }
    await changes.publish(checksTopic);
  },
});

async function sendWhatFollows(jobs: Pick<Jobs, 'send'>, guildId: string, { grants, state }: Decision): Promise<void> {
  if (grants) await jobs.send(roleActions, { guildId, kind: 'role-changes' });
  if (state.standing === 'grace') await jobs.send(dueWork, {});
}
