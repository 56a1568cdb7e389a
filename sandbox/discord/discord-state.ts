/** The state of this Discord. Ids are snowflakes as decimal text, times milliseconds since 1970. */

export type DiscordUser = {
  id: string;
  username: string;
  globalName: string | null;
  isBot: boolean;
  /** Accepts no direct messages from the bot. */
  hasClosedDms: boolean;
};

export type Role = {
  id: string;
  name: string;
  /** @everyone is 0; of two roles with the same position the older one is higher. */
  position: number;
  permissions: bigint;
  color: number;
  /** Belongs to a bot and cannot be given. */
  isManaged: boolean;
  botId: string | null;
};

export type Member = {
  userId: string;
  nick: string | null;
  /** Without @everyone, in the order given. */
  roleIds: string[];
  joinedAtMs: number;
  /** They have not accepted the server's rules yet (membership screening). */
  isPending: boolean;
};

type Overwrite = { id: string; kind: 'role' | 'member'; allow: bigint; deny: bigint };
export type ChannelKind = 'text' | 'voice' | 'category' | 'announcement';

export type Channel = {
  id: string;
  guildId: string;
  name: string;
  kind: ChannelKind;
  position: number;
  parentId: string | null;
  overwrites: Overwrite[];
  /** The newest ones, oldest first, ephemeral ones included. */
  messages: StoredMessage[];
};

/** The conversation of the bot with one person. */
export type DirectChannel = { id: string; userId: string; messages: StoredMessage[] };

export type Guild = {
  id: string;
  name: string;
  ownerId: string;
  members: Map<string, Member>;
  roles: Map<string, Role>;
  channels: Map<string, Channel>;
  /** False: Discord has an outage here; the gateway says 'unavailable'. */
  isAvailable: boolean;
  hasBot: boolean;
};

/** Who a message actually notified, after `allowed_mentions`. */
export type Pinged = { everyone: boolean; roleIds: string[]; userIds: string[] };

/** As it came over the wire: embeds, action rows and the like. */
export type Json = Record<string, unknown>;

export type StoredMessage = {
  id: string;
  channelId: string;
  guildId: string | null;
  atMs: number;
  authorId: string;
  content: string;
  embeds: Json[];
  components: Json[];
  flags: number;
  /** Only this person sees it; null: everybody in the channel. */
  ephemeralFor: string | null;
  /** The bot 'is thinking': a deferred answer that has not arrived yet. */
  isLoading: boolean;
  /** The interaction it answers. */
  interactionId: string | null;
  pinged: Pinged;
  /** Chosen by the caller; null: none. */
  nonce: string | null;
  /** Its content before each edit, oldest first. */
  edits: { atMs: number; content: string }[];
};

export type InteractionKind = 'command' | 'button' | 'select' | 'modal';
/**
 * `waiting`: no callback yet. `deferred`: 'is thinking' (or a deferred update). `answered`. `modal`: the person sees a form.
 * `failed`: no callback within 3 s; the person reads 'The application did not respond'.
 */
type InteractionState = 'waiting' | 'deferred' | 'answered' | 'modal' | 'failed';

/** A person's action and its outcome. Changes are made on the same object. */
export type Interaction = {
  id: string;
  token: string;
  kind: InteractionKind;
  userId: string;
  guildId: string | null;
  channelId: string;
  /** Command name, or the custom id of what was pressed or filled in. */
  name: string;
  /** The message with the pressed component. */
  messageId: string | null;
  /** For a submitted form: the interaction that showed it. */
  triggeredBy: string | null;
  atMs: number;
  state: InteractionState;
  /** Milliseconds from the click to the callback. */
  answeredAfterMs: number | null;
  /** The first answer, or the pressed message that it changed; null while there is none. */
  originalMessageId: string | null;
  /** The bot's answers in their current form: the first one, then follow-ups in order. */
  answers: StoredMessage[];
  /** The form the person is asked to fill in. */
  modal: { customId: string; title: string; components: Json[] } | null;
};

/** One change the bot made to a member's roles. */
export type RoleChange = {
  atMs: number;
  guildId: string;
  userId: string;
  roleId: string;
  kind: 'given' | 'taken';
  /** X-Audit-Log-Reason, decoded. */
  reason: string | null;
};

export type DiscordState = {
  users: Map<string, DiscordUser>;
  guilds: Map<string, Guild>;
  /** Every channel of every server. */
  channels: Map<string, Channel>;
  /** By channel id; `directChannelOf` is by user id. */
  directChannels: Map<string, DirectChannel>;
  directChannelOf: Map<string, DirectChannel>;
  /** Registered commands: 'global' or a server's id. */
  commands: Map<string, Json[]>;
  interactions: Map<string, Interaction>;
  roleChanges: RoleChange[];
};

export function createDiscordState(bot: DiscordUser): DiscordState {
  return {
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    directChannels: new Map(),
    directChannelOf: new Map(),
    commands: new Map(),
    interactions: new Map(),
    roleChanges: [],
  };
}
