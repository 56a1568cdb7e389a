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

type Fields = Omit<GuildConfig, 'version'>;
type FieldName = keyof Fields;
type GuildNames = Pick<DescribedGuild, 'roles' | 'channels'>;

const fieldNames: readonly FieldName[] = ['nftContract', 'nftName', 'roleId', 'channelId', 'graceMinutes'];
/** A /setup always posts the panel again, so its entry has all of its fields, even those that did not change. */
const setUpFieldNames = fieldNames.filter((name) => name !== 'graceMinutes');

export const changedFields = (before: Fields, after: Fields): readonly FieldName[] =>
  fieldNames.filter((name) => before[name] !== after[name]);

/** Ids, with the names of the role and the channel beside them, as far as known. */
function fieldsWithNames(fields: Fields, names: readonly FieldName[], { roles, channels }: GuildNames) {
  const role = names.includes('roleId') ? roles.find(({ id }) => id === fields.roleId) : undefined;
  const channel = names.includes('channelId') ? channels.find(({ id }) => id === fields.channelId) : undefined;
  return {
    ...Object.fromEntries(names.map((name) => [name, fields[name]])),
    ...(role === undefined ? {} : { role: role.name }),
    ...(channel === undefined ? {} : { channel: `#${channel.name}` }),
  };
}

/** Before and after of an entry in the log of changes (rulings R6). `before` null: the server was not configured. */
export function auditedConfiguration(
  { before, after, isSetUp }: { readonly before: Fields | null; readonly after: Fields; readonly isSetUp: boolean },
  guild: GuildNames,
) {
  if (before === null) return { before: null, after: fieldsWithNames(after, fieldNames, guild) };
  const changed = changedFields(before, after);
  const logged = isSetUp ? setUpFieldNames : changed;
  return { before: fieldsWithNames(before, changed, guild), after: fieldsWithNames(after, logged, guild) };
}
