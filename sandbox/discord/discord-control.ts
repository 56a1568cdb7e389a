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
type NewMember = {
  userId: string;
  nick?: string;
  /** Names or ids of roles. */
  roles?: readonly string[];
  /** They have not accepted the server's rules yet. */
  isPending?: boolean;
};

type NewGuild = {
  name: string;
  /** A new person when omitted. The owner is a member. */
  ownerId?: string;
  /** Lowest to highest; @everyone always exists. */
  roles?: readonly NewRole[];
  channels?: readonly NewChannel[];
  members?: readonly NewMember[];
  /**
   * The bot's own managed role: its permissions, and how many of `roles` are below it (all when omitted).
   * 'absent': the bot is not in the server until joinGuild.
   */
  bot?: { permissions?: readonly PermissionName[]; rolesBelow?: number } | 'absent';
};

type InGuild<T> = { guildId: string } & T;
type OfMember<T = unknown> = InGuild<{ userId: string }> & T;

/** Servers, people, roles and channels. Every change reaches the bot as the events of its intents. */
type DiscordLife = {
  createUser: (wanted: { username: string; globalName?: string; id?: string; hasClosedDms?: boolean }) => DiscordUser;
  setDms: (wanted: { userId: string; isClosed: boolean }) => void;
  /** The bot is a member and gets GUILD_CREATE, unless `bot` is 'absent'. */
  addGuild: (wanted: NewGuild) => Guild;
  updateGuild: (wanted: InGuild<{ name: string }>) => void;
  /** Invites the bot (again). */
  joinGuild: (wanted: InGuild<{ permissions?: readonly PermissionName[]; rolesBelow?: number }>) => void;
  /** Removes the bot and its role. */
  kickBot: (wanted: InGuild<unknown>) => void;
  /** Deletes the server for everyone. */
  deleteGuild: (wanted: InGuild<unknown>) => void;
  /** An outage of one server: GUILD_DELETE with unavailable, later GUILD_CREATE. */
  setAvailable: (wanted: InGuild<{ isAvailable: boolean }>) => void;

  addMember: (wanted: InGuild<NewMember>) => Member;
  /** Adds new people as members, with one event each. Returns their ids. */
  addMembers: (wanted: InGuild<{ count: number; name?: string; roles?: readonly string[] }>) => string[];
  removeMember: (wanted: OfMember) => void;
  updateMember: (wanted: OfMember<Partial<Pick<Member, 'nick' | 'isPending'>>>) => void;
  /** Done by someone other than the bot. */
  giveRole: (wanted: OfMember<{ roleId: string }>) => void;
  takeRole: (wanted: OfMember<{ roleId: string }>) => void;

  createRole: (wanted: InGuild<NewRole & { position?: number }>) => Role;
  updateRole: (wanted: InGuild<{ roleId: string; name?: string; permissions?: readonly PermissionName[] }>) => Role;
  /** 1 is the lowest place above @everyone. */
  moveRole: (wanted: InGuild<{ roleId: string; position: number }>) => void;
  deleteRole: (wanted: InGuild<{ roleId: string }>) => void;
  /** Sets the permissions of the bot's own role. */
  setBotPermissions: (wanted: InGuild<{ permissions: readonly PermissionName[] }>) => void;

  createChannel: (wanted: InGuild<NewChannel>) => Channel;
  updateChannel: (wanted: { channelId: string; name: string }) => void;
  /** Permissions a role or member gains or loses in this channel; empty lists remove the overwrite. */
  setOverwrite: (wanted: {
    channelId: string;
    /** A role's or member's id. */
    targetId: string;
    allow?: readonly PermissionName[];
    deny?: readonly PermissionName[];
  }) => void;
  deleteChannel: (wanted: { channelId: string }) => void;
  /** Done by someone other than the bot. */
  deleteMessage: (wanted: { channelId: string; messageId: string }) => void;
};

/** A channel of a server, or the person's direct messages with the bot. */
type Place = { channelId: string } | { channelId?: undefined };
type OptionValue = string | number | boolean;

/** What people do with the bot. A returned interaction changes as answers arrive. */
type DiscordDoings = {
  /**
   * A slash command. Refused when the bot has not registered it, the person may not use it, or an option does not fit.
   * Options by name; roles, channels and members by id.
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

/** The current state, and what has happened. */
export type DiscordReadings = {
  user: (userId: string) => DiscordUser;
  users: () => DiscordUser[];
  guild: (guildId: string) => Guild;
  guilds: () => Guild[];
  channel: (channelId: string) => Channel;
  /** The bot's own role; null when the bot is not in the server. */
  botRole: (guildId: string) => Role | null;
  membersWithRole: (wanted: InGuild<{ roleId: string }>) => string[];
  /** Everything posted in a channel, oldest first, ephemeral answers included. */
  history: (channelId: string) => readonly StoredMessage[];
  /** What one person sees there; without a channel, their direct messages with the bot. */
  sees: (wanted: Place & { userId: string }) => StoredMessage[];
  directMessages: (userId: string) => readonly StoredMessage[];
  interaction: (interactionId: string) => Interaction;
  /** The newest 1000, oldest first. */
  interactions: () => readonly Interaction[];
  /** The bot's role changes since the counters were last reset. */
  roleChanges: () => readonly RoleChange[];
  /** As registered; without a guild, the global ones. */
  commands: (guildId?: string) => readonly Json[];
  counters: () => DiscordCounters;
  /** The newest 1000 calls with their answers, oldest first. */
  calls: () => readonly CallRecord[];
  gateway: () => GatewayReading;
};

export type DiscordCounters = {
  /** By 'METHOD /path/{of}/the/description'. */
  routes: Record<string, number>;
  /** Refusals, by status and by Discord's code. */
  statuses: Record<string, number>;
  codes: Record<string, number>;
  /** 429 answers by the limit that was exceeded. */
  overLimit: { global: number; bucket: number };
  /** 401, 403 and 429 answers in the last 10 minutes (10,000 get the address banned). */
  invalidRequests: number;
  /** The bot's calls in the busiest second, without interaction callbacks. */
  busiestSecond: number;
};

/** Faults and settings. REST faults are set on the fault board, service 'discord'. */
export type DiscordSwitches = {
  /** Resumable (the default): connections break, sessions keep collecting events. Otherwise the sessions are lost too. */
  dropConnections: (wanted?: { isResumable?: boolean; code?: number }) => void;
  /** Opcode 7: 'reconnect and resume'. */
  askToReconnect: () => void;
  /** Down: connections break and new ones are refused; sessions stay. */
  setGateway: (wanted: { isUp: boolean }) => void;
  /** `acknowledges` false: heartbeats get no answer. `intervalMs` applies to new connections. */
  setHeartbeats: (wanted: { intervalMs?: number; acknowledges?: boolean }) => void;
  /** Only this many more requests for a server's members are answered; null: all are. */
  setMemberAnswers: (wanted: InGuild<{ answered: number | null }>) => void;
  /** Omitted fields stay. A shard of more than 2,500 servers is always refused (close code 4011). */
  setSharding: (wanted: Partial<ShardingSettings>) => void;
  /** 'Privileged gateway intents' of the developer portal; at the start only the members intent is on. */
  setPrivilegedIntents: (wanted: { members?: boolean; presences?: boolean; messageContent?: boolean }) => void;
  /** Omitted fields stay; `null` restores the usual limits. */
  setLimits: (wanted: Partial<RestLimitSettings> | null) => RestLimitSettings;
  /** Refuses all the bot's calls with `X-RateLimit-Global` for this long, as after exceeding the global limit. */
  limitGlobally: (wanted: { milliseconds: number }) => void;
  /** Time an interaction waits for its callback: 3000 ms unless a test changes it. */
  setInteractionDeadline: (wanted: { milliseconds: number }) => void;
  /** Time in which its answers may be sent and edited: 15 minutes unless a test changes it. */
  setInteractionTokenLife: (wanted: { milliseconds: number }) => void;
  resetCounters: () => void;
  /** Back to the seeded servers: deletes messages, server commands and sessions, and drops connections. */
  reset: () => void;
  stop: () => void;
};

/** Drives this Discord and reads what happened in it. */
export type DiscordControl = {
  readonly token: string;
  /** Also the application: they share their id. */
  readonly bot: DiscordUser;
  /** Servers and people that exist from the start. */
  readonly seeded: SeededGuilds;
} & DiscordLife &
  DiscordDoings &
  DiscordReadings &
  DiscordSwitches;
