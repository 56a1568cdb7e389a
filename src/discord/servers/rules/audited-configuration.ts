import type { DescribedGuild, GuildConfig } from './known-guild.ts';

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
