import type { ShardingSettings } from './gateway/gateway.ts';
import type { GatewayReading } from './gateway/gateway-reading.ts';
import type { PermissionName } from './permissions.ts';
import type {
  Channel,
  ChannelKind,
  DiscordUser,
  Guild,
  Interaction,
  Json,
  Member,
  Role,
  RoleChange,
  StoredMessage,
} from './discord-state.ts';
import type { RestLimitSettings } from './rest-limits.ts';
import type { CallRecord } from './discord-server.ts';
import type { SeededGuilds } from './seed-guilds.ts';

type NewRole = { name: string; permissions?: readonly PermissionName[]; color?: number };
type NewChannel = { name: string; kind?: ChannelKind };
type NewMember = { userId: string; nick?: string; /** Names or ids of roles. */ roles?: readonly string[] };

type NewGuild = {
  name: string;
  /** A new person when left out. The owner is a member. */
  ownerId?: string;
  /** From the lowest to the highest; @everyone is there anyway. */
  roles?: readonly NewRole[];
  channels?: readonly NewChannel[];
  members?: readonly NewMember[];
  /**
   * The bot's own managed role: what it may do, and how many of `roles` stand under it (all when left out).
   * 'absent': the bot is not there until joinGuild.
   */
  bot?: { permissions?: readonly PermissionName[]; rolesBelow?: number } | 'absent';
};

type InGuild<T> = { guildId: string } & T;
type OfMember<T = unknown> = InGuild<{ userId: string }> & T;

/** Servers, people, roles and channels. Every change reaches the bot as the events of its intents. */
type DiscordLife = {
  createUser: (wanted: { username: string; globalName?: string; id?: string; hasClosedDms?: boolean }) => DiscordUser;
  setDms: (wanted: { userId: string; isClosed: boolean }) => void;
  /** The bot is in it unless said otherwise: GUILD_CREATE goes out. */
  addGuild: (wanted: NewGuild) => Guild;
  updateGuild: (wanted: InGuild<{ name: string }>) => void;
  /** The bot is invited (again). */
  joinGuild: (wanted: InGuild<{ permissions?: readonly PermissionName[]; rolesBelow?: number }>) => void;
  /** The bot is removed; its role goes with it. */
  kickBot: (wanted: InGuild<unknown>) => void;
  /** The server is gone for everybody. */
  deleteGuild: (wanted: InGuild<unknown>) => void;
  /** An outage of one server: GUILD_DELETE with unavailable, later GUILD_CREATE. */
  setAvailable: (wanted: InGuild<{ isAvailable: boolean }>) => void;

  addMember: (wanted: InGuild<NewMember>) => Member;
  /** Bulk: new people who are members, with an event each. Gives their ids. */
  addMembers: (wanted: InGuild<{ count: number; name?: string; roles?: readonly string[] }>) => string[];
  removeMember: (wanted: OfMember) => void;
  updateMember: (wanted: OfMember<{ nick: string | null }>) => void;
  /** By somebody else than the bot. */
  giveRole: (wanted: OfMember<{ roleId: string }>) => void;
  takeRole: (wanted: OfMember<{ roleId: string }>) => void;

  createRole: (wanted: InGuild<NewRole & { position?: number }>) => Role;
  updateRole: (wanted: InGuild<{ roleId: string; name?: string; permissions?: readonly PermissionName[] }>) => Role;
  /** 1 is the lowest place above @everyone. */
  moveRole: (wanted: InGuild<{ roleId: string; position: number }>) => void;
  deleteRole: (wanted: InGuild<{ roleId: string }>) => void;
  /** What the bot's own role allows. */
  setBotPermissions: (wanted: InGuild<{ permissions: readonly PermissionName[] }>) => void;

  createChannel: (wanted: InGuild<NewChannel>) => Channel;
  updateChannel: (wanted: { channelId: string; name: string }) => void;
  /** What a role or member may do here beyond or below the server's rules; empty lists take the exception away. */
  setOverwrite: (wanted: {
    channelId: string;
    /** A role's or member's id. */
    targetId: string;
    allow?: readonly PermissionName[];
    deny?: readonly PermissionName[];
  }) => void;
  deleteChannel: (wanted: { channelId: string }) => void;
  /** By somebody else than the bot. */
  deleteMessage: (wanted: { channelId: string; messageId: string }) => void;
};

/** A channel of a server, or the person's direct messages with the bot. */
type Place = { channelId: string } | { channelId?: undefined };
type OptionValue = string | number | boolean;

/** What people do with the bot. The interaction that is given back changes as answers come. */
type DiscordDoings = {
  /**
   * A slash command. Refused when the bot has not registered it, the person may not use it, or an option does not fit.
   * Options by name: the id of a role, channel or member as text.
   */
  command: (
    wanted: Place & {
      userId: string;
      name: string;
      subcommand?: string;
      options?: Readonly<Record<string, OptionValue>>;
    },
  ) => Interaction;
  /** `button`: its custom id or its label. In DMs and on ephemeral messages too, if the person sees them. */
  press: (wanted: { userId: string; messageId: string; button: string }) => Interaction;
  select: (wanted: { userId: string; messageId: string; customId: string; values: readonly string[] }) => Interaction;
  /** Fills in the form that answered an interaction; values by the inputs' custom ids. */
  submitModal: (wanted: { interactionId: string; values: Readonly<Record<string, string>> }) => Interaction;
  /** A person writes something. */
  say: (wanted: Place & { userId: string; content: string }) => StoredMessage;
};

/** What is true, and what happened. */
export type DiscordReadings = {
  user: (userId: string) => DiscordUser;
  users: () => DiscordUser[];
  guild: (guildId: string) => Guild;
  guilds: () => Guild[];
  channel: (channelId: string) => Channel;
  /** The bot's own role; null when it is not there. */
  botRole: (guildId: string) => Role | null;
  membersWithRole: (wanted: InGuild<{ roleId: string }>) => string[];
  /** Everything posted in a channel, oldest first, ephemeral answers included. */
  history: (channelId: string) => readonly StoredMessage[];
  /** What one person sees there; without a channel their direct messages with the bot. */
  sees: (wanted: Place & { userId: string }) => StoredMessage[];
  directMessages: (userId: string) => readonly StoredMessage[];
  interaction: (interactionId: string) => Interaction;
  /** The newest 1000, oldest first. */
  interactions: () => readonly Interaction[];
  /** The bot's changes of roles since the last reset of the counters. */
  roleChanges: () => readonly RoleChange[];
  /** As registered; without a guild the global ones. */
  commands: (guildId?: string) => readonly Json[];
  counters: () => DiscordCounters;
  /** The newest 1000 calls with their answers, oldest first. */
  calls: () => readonly CallRecord[];
  gateway: () => GatewayReading;
};

export type DiscordCounters = {
  /** By 'METHOD /path/{of}/the/description'. */
  routes: Record<string, number>;
  /** Answers that were refusals, by status and by Discord's code. */
  statuses: Record<string, number>;
  codes: Record<string, number>;
  /** 429 by the rule that was broken. */
  overLimit: { global: number; bucket: number };
  /** 401, 403 and 429 in the last 10 minutes (10,000 bring a ban of the address). */
  invalidRequests: number;
  /** Calls on behalf of the bot, interaction callbacks left out, in the busiest second. */
  busiestSecond: number;
};

/** Breaks and mends. REST faults are those of the fault board, service 'discord'. */
export type DiscordSwitches = {
  /** Resumable (the rule): the connection breaks, events go on to be kept. Otherwise the session is gone as well. */
  dropConnections: (wanted?: { isResumable?: boolean; code?: number }) => void;
  /** Opcode 7: 'reconnect and resume'. */
  askToReconnect: () => void;
  /** Down: connections break and new ones are refused; sessions stay. */
  setGateway: (wanted: { isUp: boolean }) => void;
  /** `acknowledges` false: heartbeats get no answer. For connections to come: the interval. */
  setHeartbeats: (wanted: { intervalMs?: number; acknowledges?: boolean }) => void;
  /** So many requests for a server's members are still answered, the others are not; null: all are. */
  setMemberAnswers: (wanted: InGuild<{ answered: number | null }>) => void;
  /** What is left out stays. A shard of more than 2,500 servers is refused in any case (close code 4011). */
  setSharding: (wanted: Partial<ShardingSettings>) => void;
  /** 'Privileged gateway intents' of the developer portal; all but the members' one are off from the start. */
  setPrivilegedIntents: (wanted: { members?: boolean; presences?: boolean; messageContent?: boolean }) => void;
  /** What is left out stays; `null` brings the usual limits back. */
  setLimits: (wanted: Partial<RestLimitSettings> | null) => RestLimitSettings;
  /** For so long every call of the bot is refused with `X-RateLimit-Global`, as after a breach of the limit of all calls. */
  limitGlobally: (wanted: { milliseconds: number }) => void;
  /** Milliseconds in which an interaction wants its callback: 3000, unless a test moves it. */
  setInteractionDeadline: (wanted: { milliseconds: number }) => void;
  /** Milliseconds for which its answers may be given and changed: 15 minutes, unless a test moves it. */
  setInteractionTokenLife: (wanted: { milliseconds: number }) => void;
  resetCounters: () => void;
  /** Back to the seeded servers: messages, commands of single servers and sessions are gone, connections break. */
  reset: () => void;
  stop: () => void;
};

/** Drives this Discord and reads what happened in it. */
export type DiscordControl = {
  readonly token: string;
  /** Also the application: they share their id. */
  readonly bot: DiscordUser;
  /** Servers and people that are there from the beginning. */
  readonly seeded: SeededGuilds;
} & DiscordLife &
  DiscordDoings &
  DiscordReadings &
  DiscordSwitches;
