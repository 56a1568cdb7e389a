import type { NftTypeAnswer } from '../../../market/contract.ts';
import { Invalid } from '../../../shared/failure.ts';

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

const example = '0x12345::module::Type';
const refusals = {
  missing: [
    'nft-contract-missing',
    `There is no such type on the Sui network. Check address, module and name, as in ${example}.`,
  ],
  malformed: ['nft-contract-malformed', `The NFT contract is a type of the form ${example}.`],
  coin: ['not-an-nft', `This is a coin, not an NFT. Give the type of the NFTs themselves, as in ${example}.`],
  'no-object': [
    'not-an-nft',
    `Nobody can own an object of this type, so it is not an NFT. Give the type of the NFTs, as in ${example}.`,
  ],
} as const;

/** The NFT type that an admin entered as the contract, with the same refusals for a save and for a dry run. Throws Invalid. */
export function nftIn(answer: NftTypeAnswer) {
  if (answer.kind === 'nft') return answer;
  const [code, message] = refusals[answer.kind === 'not-an-nft' ? answer.problem : answer.kind];
  throw new Invalid(code, message);
}

type Fields = Omit<GuildConfig, 'version'>;
type FieldName = keyof Fields;
type Named = Pick<DescribedGuild, 'roles' | 'channels'>;

const fieldNames: readonly FieldName[] = ['nftContract', 'nftName', 'roleId', 'channelId', 'graceMinutes'];
/** The fields of /setup: logged even when unchanged, since the panel is posted again. */
const setUpNames: readonly FieldName[] = ['nftContract', 'nftName', 'roleId', 'channelId'];

export const changedFields = (before: Fields, after: Fields): readonly FieldName[] =>
  fieldNames.filter((name) => before[name] !== after[name]);

/** Ids, with the names of the role and the channel beside them, as far as known. */
function namedFields(fields: Fields, names: readonly FieldName[], { roles, channels }: Named) {
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
  guild: Named,
) {
  if (before === null) return { before: null, after: namedFields(after, fieldNames, guild) };
  const changed = changedFields(before, after);
  const shown = fieldNames.filter((name) => changed.includes(name) || (isSetUp && setUpNames.includes(name)));
  return { before: namedFields(before, changed, guild), after: namedFields(after, shown, guild) };
}
