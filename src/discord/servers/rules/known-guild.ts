/** A role as the gateway described it; @everyone is left out. Names are text of strangers. */
interface KnownRole {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  /** Of an integration or of boosters: it cannot be given. */
  readonly isManaged: boolean;
}

/** A channel in which one can write, with what the bot may do there. */
interface KnownChannel {
  readonly id: string;
  readonly name: string;
  readonly canView: boolean;
  readonly canSend: boolean;
}

/** A server as the gateway describes it, with what the bot may do there. */
export interface DescribedGuild {
  readonly guildId: string;
  readonly name: string;
  readonly ownerId: string | null;
  /** null: Discord said nothing that can be read. */
  readonly memberCount: number | null;
  /** The highest first. */
  readonly roles: readonly KnownRole[];
  readonly channels: readonly KnownChannel[];
  /** What its roles allow the bot in the server: a decimal bit field. */
  readonly botPermissions: string;
  /** The position of the bot's highest role: only roles below it can be given. */
  readonly botTopPosition: number;
}

/** A guild's configuration (specification 3), with what rulings R5 and R6 add. */
export interface GuildConfig {
  /** Empty: none yet. */
  readonly roleId: string;
  readonly channelId: string | null;
  /** Canonical type. */
  readonly nftContract: string;
  readonly nftName: string;
  readonly graceMinutes: number;
  readonly version: number;
}

/** A server as it is stored. */
export interface KnownGuild extends Omit<DescribedGuild, 'ownerId'> {
  readonly isPresent: boolean;
  /** Discord reports an outage of it. */
  readonly isInOutage: boolean;
  /** Members who have linked a wallet. */
  readonly verifiedCount: number;
  /** A mass removal waits for an admin's word. */
  readonly hasWaitingRemoval: boolean;
  /** The message with the button by which members verify, as far as is known. */
  readonly panel: 'none' | 'posted' | 'deleted';
  /** null: not configured. */
  readonly config: GuildConfig | null;
}
