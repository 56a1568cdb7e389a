/** A server as the gateway describes it, with what the bot may do there. Names are foreign text. */
export interface DescribedGuild {
  readonly guildId: string;
  readonly name: string;
  /** null: Discord sent no readable number. */
  readonly memberCount: number | null;
  /** The highest first; @everyone is left out. */
  readonly roles: readonly {
    readonly id: string;
    readonly name: string;
    readonly position: number;
    /** It belongs to an integration or to boosters and cannot be given. */
    readonly isManaged: boolean;
  }[];
  /** Text and announcement channels. */
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly canView: boolean;
    readonly canSend: boolean;
  }[];
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
  readonly nftContract: string;
  readonly nftName: string;
  readonly graceMinutes: number;
  readonly version: number;
}

export interface KnownGuild extends DescribedGuild {
  readonly isPresent: boolean;
  readonly isInOutage: boolean;
  readonly verifiedCount: number;
  readonly hasWaitingRemoval: boolean;
  readonly config: GuildConfig | null;
}

/** A role for holders is chosen, and the server still has it. */
export const hasChosenRole = (guild: Pick<KnownGuild, 'roles' | 'config'> | null): boolean =>
  guild?.roles.some(({ id }) => id === guild.config?.roleId) === true;
