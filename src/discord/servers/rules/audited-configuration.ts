import type { DescribedGuild, GuildConfig } from './known-guild.ts';

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

/** Before and after of an entry of the log of changes (rulings R6). `before` null: the server was not configured. */
export function auditedConfiguration(
  { before, after, isSetUp }: { readonly before: Fields | null; readonly after: Fields; readonly isSetUp: boolean },
  guild: Named,
) {
  if (before === null) return { before: null, after: namedFields(after, fieldNames, guild) };
  const changed = changedFields(before, after);
  const shown = fieldNames.filter((name) => changed.includes(name) || (isSetUp && setUpNames.includes(name)));
  return { before: namedFields(before, changed, guild), after: namedFields(after, shown, guild) };
}
