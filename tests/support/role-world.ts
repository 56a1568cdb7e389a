import { randomBytes } from 'node:crypto';

import { auditTrail } from '../../src/audit/audit-log.ts';
import type { PlatformOutcome, RolePlatform } from '../../src/discord/ports.ts';
import { resumeRoleChanges } from '../../src/discord/roles/member-roles.ts';
import { roleChanges, type RolesDeps } from '../../src/discord/roles/role-jobs.ts';
import { checkAndWait } from '../../src/discord/roles/check-requests.ts';
import { checkAndExplain, explainMember } from '../../src/discord/roles/explain-member.ts';
import { deleteMember, type LinkedWallet, linkWallet, unlinkWallet } from '../../src/discord/roles/linking.ts';
import { askForPayoutMessages } from '../../src/discord/roles/payout-messages.ts';
import { addRoleJobs, tradeListener } from '../../src/discord/roles/roles.ts';
import { roleRoutes } from '../../src/discord/admin/http.ts';
import { createGuildMemberStore } from '../../src/discord/servers/guild-member-store.ts';
import type { AuditActor } from '../../src/audit/contract.ts';
import type { Trx } from '../../src/db/transaction.ts';
import { type ChangeSignal, createChangeSignal } from '../../src/db/change-signal.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createLogger } from '../../src/process/logger.ts';
import { systemClock } from '../../src/process/in-time.ts';
import type { RouteAnswer } from '../../src/http/route.ts';
import { someAddress } from './activity-events.ts';
import type { TestDatabase } from './database.ts';
import { elapseDiscord } from './elapse-discord.ts';
import { createHoldings, type Holdings, otherType, rockType, untracked } from './holdings.ts';
import { askRoute, dataOf, type routeRequest } from './route-request.ts';
import { stagedJobs } from './staged-jobs.ts';
import { until } from './until.ts';

export { otherType, rockType };
export const guildId = '700000000000000001';
export const roleId = '700000000000000002';
export const admin = { kind: 'admin', userId: '7', name: 'chief' } as const;

interface DoneAtDiscord {
  readonly kind: 'grant' | 'remove' | 'message';
  readonly userId: string;
  readonly roleId: string | null;
  readonly content: string | null;
  readonly by: string;
  readonly atMs: number;
}

type RoleDatabase = Pick<TestDatabase, 'url' | 'pool' | 'drop'>;

/** What members and admins do, in one copy of the product. */
const callsOf = (deps: RolesDeps) => {
  const explain = (guild: string, userId: string) => explainMember(deps, guild, userId);
  return {
    routes: roleRoutes(deps),
    listener: tradeListener,
    linkWallet: (link: LinkedWallet, trx: Trx) => linkWallet(trx, deps.audit, link),
    unlinkWallet: (guild: string, userId: string, wallet: string, actor: AuditActor) =>
      unlinkWallet(deps, { guildId: guild, userId }, wallet, actor),
    deleteMember: (guild: string, userId: string, actor: AuditActor) =>
      deleteMember(deps, { guildId: guild, userId }, actor),
    askForPayoutMessages: (member: Parameters<typeof askForPayoutMessages>[1], wants: boolean, actor: AuditActor) =>
      askForPayoutMessages(deps, member, wants, actor),
    explain,
    /** What /why and /verify do. */
    ask: (guild: string, userId: string) => checkAndExplain(deps, guild, userId, 'asked'),
    /** A check, however new the last one is. */
    checkNow: async (guild: string, userId: string, cause: Parameters<typeof checkAndWait>[2]) => {
      await checkAndWait(deps, { guildId: guild, userId }, cause);
      return explain(guild, userId);
    },
    memberJoined: createGuildMemberStore(deps.db).joined,
    /** Roles or permissions of the server changed at Discord. */
    guildChanged: (guild: string) => resumeRoleChanges(deps.db, guild),
  };
};

export interface RoleCopy extends ReturnType<typeof callsOf> {
  /** Discord's report on the configured role. */
  memberRoleSeen(guildId: string, userId: string, hasRole: boolean): Promise<unknown>;
  /** Before the start, it runs only checks whose caller waits for them. */
  start(): void;
  /** May be started again. */
  stop(): Promise<void>;
}

export interface RoleWorld {
  readonly database: RoleDatabase;
  readonly changes: ChangeSignal;
  readonly holdings: Holdings;
  /** The changes that Discord carried out, in order. */
  readonly done: DoneAtDiscord[];
  /** How Discord answers the next calls; undefined: it carries them out. */
  answer: (call: Omit<DoneAtDiscord, 'by' | 'atMs'>) => PlatformOutcome | Error | undefined;
  /** Awaited before Discord does anything. */
  pace: (stop?: { readonly aborted: boolean }) => Promise<void>;
  /** The ids of members who have the role at Discord. */
  readonly roleHolders: Set<string>;
  copy(options?: Partial<RolesDeps>): RoleCopy;
  server(given?: {
    readonly guildId?: string;
    readonly graceMinutes?: number;
    readonly nftType?: string;
    roleId?: string;
  }): Promise<string>;
  /** Links wallets to a member, as /verify does, without a check. */
  link(roles: RoleCopy, userId: string, wallets: readonly string[], guild?: string): Promise<void>;
  /** Moves everything stored into the past by this much. */
  elapse(minutes: number): Promise<void>;
  member(userId: string, guild?: string): Promise<Record<string, unknown>>;
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  audited(): Promise<readonly string[]>;
  call(roles: RoleCopy, method: string, path: string, given?: Parameters<typeof routeRequest>[0]): Promise<RouteAnswer>;
  /** Waits until nothing is due any more. */
  quiet(): Promise<void>;
  end(): Promise<void>;
}

export const walletOf = (number: number): string => someAddress(0x5_0000 + number);
export const userOf = (number: number): string => `60000000000000${String(number).padStart(4, '0')}`;

/** Starts on that database, which it drops at the end. */
export async function startRoleWorld(database: RoleDatabase): Promise<RoleWorld> {
  const db = typedKysely(database.pool);
  const changes = await createChangeSignal({ url: database.url, pool: database.pool, log: silentLog });
  const holdings = createHoldings();
  const running: RoleCopy[] = [];
  const rows: RoleWorld['rows'] = async (statement, values = []) =>
    (await database.pool.query<Record<string, unknown>>(statement, [...values])).rows;
  await rows("update discord_service set wanted = 'active'");

  /** A change that is under way is no longer due, but Discord's answer is not stored yet. */
  const isChangingRoles = async (): Promise<boolean> => {
    const [engine] = await rows("select to_regclass('pgboss.job') as jobs");
    if (engine?.['jobs'] === null) return false;
    const active = await rows("select from pgboss.job where name = $1 and state = 'active'", [roleChanges.name]);
    return active.length > 0;
  };
  const platformOf = (by: string): RolePlatform => {
    const doing = async (
      call: Omit<DoneAtDiscord, 'by' | 'atMs'>,
      stop?: { readonly aborted: boolean },
    ): Promise<PlatformOutcome> => {
      await world.pace(stop);
      const answer = world.answer(call) ?? { kind: 'done' };
      if (answer instanceof Error) throw answer;
      if (answer.kind !== 'done') return answer;
      world.done.push({ ...call, by, atMs: performance.now() });
      if (call.kind === 'grant') world.roleHolders.add(call.userId);
      if (call.kind === 'remove') world.roleHolders.delete(call.userId);
      return answer;
    };
    return {
      grantRole: ({ userId, roleId: role }, _reason, stop) =>
        doing({ kind: 'grant', userId, roleId: role, content: null }, stop),
      removeRole: ({ userId, roleId: role }, _reason, stop) =>
        doing({ kind: 'remove', userId, roleId: role, content: null }, stop),
      sendDirectMessage: (userId, content) => doing({ kind: 'message', userId, roleId: null, content }),
    };
  };

  const world: RoleWorld = {
    database,
    changes,
    holdings,
    done: [],
    answer: () => undefined,
    pace: async () => {},
    roleHolders: new Set(),
    rows,
    copy: (options = {}) => {
      const copy = `copy ${running.length} ${randomBytes(3).toString('hex')}`;
      const engine = stagedJobs(database.url);
      const deps: RolesDeps = {
        db,
        changes,
        jobs: engine,
        ownership: holdings.ownership,
        platform: platformOf(copy),
        audit: auditTrail,
        watching: untracked,
        clock: systemClock,
        log: createLogger('silent'),
        collectionType: rockType,
        recheckIntervalMs: 3_600_000,
        yieldToRequests: async () => {},
        ...options,
      };
      addRoleJobs(deps);
      const made: RoleCopy = {
        ...callsOf(deps),
        memberRoleSeen: (...seen: [string, string, boolean]) =>
          rows('update discord_members set has_role = $3 where guild_id = $1 and user_id = $2', seen),
        start: () => engine.start(),
        stop: () => engine.stop(),
      };
      running.push(made);
      return made;
    },
    server: async ({ guildId: id = guildId, graceMinutes = 0, nftType = rockType, roleId: role = roleId } = {}) => {
      await rows(
        `insert into discord_guilds (guild_id, name, roles, bot_permissions, bot_top_position) values ($1, 'Rock Mountain', $2, '268435456', 5)`,
        [id, JSON.stringify(role === '' ? [] : [{ id: role, name: 'Rock Holder', position: 2, isManaged: false }])],
      );
      await rows(
        `insert into discord_guild_configs (guild_id, role_id, nft_contract, nft_name, grace_minutes, updated_by, sweep_due_at)
         values ($1, $2, $3, 'Sui Rocks', $4, 'chief', clock_timestamp() + interval '1 hour')`,
        [id, role, nftType, graceMinutes],
      );
      return id;
    },
    link: async (roles, userId, wallets, guild = guildId) => {
      for (const wallet of wallets) {
        await db.transaction().execute(async (trx) => {
          const link = { guildId: guild, userId, displayName: `member ${userId}`, wallet, scheme: 'ed25519' };
          await roles.linkWallet(link, trx);
        });
      }
    },
    elapse: (minutes) => elapseDiscord(database.pool, minutes),
    member: async (userId, guild = guildId) =>
      (await rows('select * from discord_members where guild_id = $1 and user_id = $2', [guild, userId]))[0] ?? {},
    audited: async () =>
      (await rows('select action from audit_entries order by id')).map(({ action }) => String(action)),
    call: async (roles, method, path, given = {}) => {
      const route = roles.routes.find((each) => each.method === method && each.path === path);
      if (route === undefined) throw new Error(`no route ${method} ${path}`);
      const answer = await askRoute(route, {
        user: { id: '7', username: 'chief', isAdmin: true, rights: 'operator' },
        params: { guildId },
        ...given,
      });
      if ('body' in answer && answer.status === 200 && route.answer !== 'raw') dataOf(route.answer, answer.body);
      return answer;
    },
    quiet: () =>
      until('nothing is due', async () => {
        const [found] = await rows(`
          select (select count(*) from discord_members where check_due_at <= clock_timestamp() and is_in_guild)
            + (select count(*) from discord_member_roles r join discord_guilds g using (guild_id)
                where due_at <= clock_timestamp() and coalesce(roles_paused_until <= clock_timestamp(), true))
            + (select count(*) from discord_direct_messages where due_at <= clock_timestamp())
            + (select count(*) from discord_guild_configs where sweep_due_at <= clock_timestamp())
            + (select count(*) from discord_members where role_state = 'grace' and is_in_guild
                and (removal_due_at is null or removal_due_at <= clock_timestamp()) and answer = 'does-not-hold') as due`);
        return Number(found?.['due']) === 0 && !(await isChangingRoles());
      }),
    end: async () => {
      await Promise.all(running.map((roles) => roles.stop()));
      await changes.stop();
      await database.drop();
    },
  };
  return world;
}
