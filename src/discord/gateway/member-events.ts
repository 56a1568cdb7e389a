import { type Client, GatewayDispatchEvents, Status } from 'discord.js';
import { z } from 'zod';
import type { GuildMemberStore, SeenMember } from '../servers/guild-member-store.ts';
import type { BotIdentity, ServiceStore } from '../../bot-service/service-store.ts';
import type { DiscordPace } from '../bot.ts';
import { type BotDeps, storedName } from '../commands/command.ts';
import type { GuildRegister } from '../servers/guild-register.ts';
import type { Log } from '../../process/logger.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../../sources/rate-limiter.ts';

/**
 * Gateway dispatches as sent (documentation, topics/gateway-events). Members are read here because discord.js only reports cached ones,
 * and it caches none.
 */
const user = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().nullish(),
});

export const memberPayload = z.object({
  guild_id: z.string(),
  user,
  nick: z.string().nullish(),
  roles: z.array(z.string()),
  pending: z.boolean().nullish(),
});
type MemberPayload = z.infer<typeof memberPayload>;

export const displayNameOf = ({
  nick,
  user: { id, global_name: globalName, username },
}: Pick<MemberPayload, 'nick' | 'user'>) => storedName(nick ?? globalName ?? username, id);

/**
 * They have not accepted the server's rules yet, and a role would let them in without (documentation, resources/guild, 'Membership
 * Screening Object'). Until then they count as absent, unless someone has given them a role. `roleIds` may contain @everyone.
 */
const isBeingScreened = (guildId: string, isPending: boolean | null | undefined, roleIds: readonly string[]): boolean =>
  isPending === true && roleIds.every((id) => id === guildId);

const memberGonePayload = z.object({ guild_id: z.string(), user: user.pick({ id: true }) });

export const readyPayload = z.object({
  guilds: z.array(z.object({ id: z.string() })),
  /** The shard and the number of shards; omitted if there is only one. */
  shard: z.tuple([z.int().min(0), z.int().min(1)]).default([0, 1]),
});

/** Handles a dispatch before discord.js does. Unreadable ones are skipped: a throw would stop the connection from reading. */
export function onDispatch<T>(
  client: Client,
  log: Log,
  event: GatewayDispatchEvents,
  schema: z.ZodType<T>,
  handle: (payload: T) => void,
): void {
  client.ws.on(event, (data: unknown) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) handle(parsed.data);
    else log.warn({ event, issues: parsed.error.issues.slice(0, 3) }, 'Discord sent an event of an unknown shape');
  });
}

export interface GatewayDeps extends BotDeps {
  readonly store: ServiceStore;
  readonly botIdentity: Pick<BotIdentity, 'check'>;
  readonly url: string;
  readonly members: GuildMemberStore;
  readonly register: GuildRegister;
  /** Calls `read` when it may be unknown who has the role in a server. Returns a function that stops it. */
  readonly onRolesUnknown: (read: () => void) => () => void;
  readonly pace: DiscordPace;
}

/** Members joining, changing and leaving; only those who have linked a wallet are stored. */
export function addMemberEvents(
  client: Client,
  { members, log }: GatewayDeps,
  queue: MemberEventQueue,
  { counted, missed }: Record<'counted' | 'missed', (guildId: string) => void>,
): void {
  const inOrder = (guildId: string, work: () => Promise<void>): void => {
    queue.next(guildId, work).catch((error: unknown) => {
      log.warn({ err: error, guildId }, 'An event about a member could not be saved; asking Discord again');
      missed(guildId);
    });
  };
  const seen = async (member: MemberPayload, hasJoined: boolean): Promise<void> => {
    const { guild_id: guildId, user, pending, roles } = member;
    if (user.bot === true) return;
    if (isBeingScreened(guildId, pending, roles)) return members.gone(guildId, [user.id]);
    const { returned } = await members.seen(guildId, [toSeen(member)]);
    // A leave may have been missed: joining members are checked, whatever is stored.
    if (hasJoined || returned.length > 0) await members.joined(guildId, user.id, displayNameOf(member));
  };
  onDispatch(client, log, GatewayDispatchEvents.GuildMemberAdd, memberPayload, (member) => {
    counted(member.guild_id);
    inOrder(member.guild_id, () => seen(member, true));
  });
  onDispatch(client, log, GatewayDispatchEvents.GuildMemberUpdate, memberPayload, (member) => {
    inOrder(member.guild_id, () => seen(member, false));
  });
  const gone = GatewayDispatchEvents.GuildMemberRemove;
  onDispatch(client, log, gone, memberGonePayload, ({ guild_id: guildId, user }) => {
    counted(guildId);
    inOrder(guildId, () => members.gone(guildId, [user.id]));
  });
}

/**
 * Stores events about a server's members one by one in order, so that a member who left and came back counts as present. Servers do not
 * wait for each other: a sweep locks all members of one.
 */
export function createMemberEventQueue() {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    /** An error of `work` goes to the caller and does not hold up what follows. */
    next: (guildId: string, work: () => Promise<void>): Promise<void> => {
      const done = (lastOf.get(guildId) ?? Promise.resolve()).then(work);
      const settled = done.catch(() => {});
      lastOf.set(guildId, settled);
      return done;
    },
    settled: () => Promise.all(lastOf.values()),
  };
}

export type MemberEventQueue = ReturnType<typeof createMemberEventQueue>;

const toSeen = (member: MemberPayload): SeenMember => ({
  userId: member.user.id,
  displayName: displayNameOf(member),
  roleIds: member.roles,
});

/**
 * Discord closes a connection that sends more than 120 times in 60 s, heartbeats included (documentation, topics/gateway, 'Rate
 * Limiting'), and discord.js pauses for a minute after 114. At most 100 in any 60 s: 10,000 members a minute. Short windows, so
 * that a server waits only seconds behind a large one.
 */
const memberRequestLimit: RateLimiterOptions = { requests: 10, perMs: 6_000 };

export interface RequestedGuild {
  readonly id: string;
  readonly shardId: number;
  readonly available: boolean;
  readonly shard: { readonly status: Status };
  readonly members: {
    fetch(wanted: { user: string[]; time: number }): Promise<ReadonlyMap<string, FoundMember>>;
  };
}

interface FoundMember {
  readonly id: string;
  readonly displayName: string;
  readonly pending: boolean | null;
  readonly roles: { readonly cache: { keys(): Iterable<string> } };
}

type MemberRequestDeps = Pick<GatewayDeps, 'members' | 'pace'>;

/** Discord answers at most 100 ids in one request (documentation, 'Request Guild Members'). */
const idsPerRequest = 100;

/**
 * Asks Discord about all members of a server who linked a wallet: whether they are in it, and their roles. Servers of a shard take turns
 * after each request. False: the shard is not connected, so not everyone was requested. Throws errors of discord.js and the database.
 */
export function createMemberRequests(
  deps: MemberRequestDeps,
  queue: MemberEventQueue,
): (guild: RequestedGuild, stop: AbortSignal) => Promise<boolean> {
  const limiters = new Map<number, RateLimiter>();
  const limiterOf = (shardId: number): RateLimiter => {
    const limiter = limiters.get(shardId) ?? createRateLimiter(memberRequestLimit);
    limiters.set(shardId, limiter);
    return limiter;
  };
  return async (guild, stop) => {
    const known = await deps.members.known(guild.id);
    for (let from = 0; from < known.length; from += idsPerRequest) {
      const userIds = known.slice(from, from + idsPerRequest);
      await limiterOf(guild.shardId).take(stop);
      // discord.js queues what it cannot send, and sends all of it at once when the shard is back.
      if (!canSend(guild)) return false;
      const found = await guild.members.fetch({ user: userIds, time: deps.pace.membersWithinMs });
      await queue.next(guild.id, () => saveAnswer(deps, guild.id, userIds, found));
    }
    return true;
  };
}

const canSend = ({ available, shard: { status } }: RequestedGuild): boolean =>
  available && (status === Status.Ready || status === Status.WaitingForGuilds);

/** Discord reports members who join after this answer later, so they are stored later too. */
async function saveAnswer(
  { members }: MemberRequestDeps,
  guildId: string,
  requestedIds: readonly string[],
  found: ReadonlyMap<string, FoundMember>,
): Promise<void> {
  const seen = [...found.values()].flatMap(({ id, displayName, pending, roles }) => {
    const roleIds = [...roles.cache.keys()];
    if (isBeingScreened(guildId, pending, roleIds)) return [];
    return [{ userId: id, displayName: storedName(displayName, id), roleIds }];
  });
  const { returned } = await members.seen(guildId, seen);
  const seenIds = new Set(seen.map(({ userId }) => userId));
  const absentIds = requestedIds.filter((userId) => !seenIds.has(userId));
  await members.gone(guildId, absentIds);
  for (const { userId, displayName } of seen)
    if (returned.includes(userId)) await members.joined(guildId, userId, displayName);
}
