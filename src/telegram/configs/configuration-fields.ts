import { isDeepStrictEqual } from 'node:util';

import type { Configuration, ConfigurationChange } from './configuration-store.ts';
import { auditedSettings } from './settings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The audit log's view of a configuration, with the names used on its screens. */
const auditedFields = (configuration: Configuration): Fields => {
  const { chatId, collectionName, collectionId, hexCollectionId, maxSupply, mintedCount, deletedAt } = configuration;
  const followed = { chatId, collectionName, collectionId, hexCollectionId, maxSupply, mintedCount };
  return { ...followed, ...auditedSettings(configuration), isDeleted: deletedAt !== null };
};

export const presentFields = (configuration: Configuration): Fields =>
  Object.fromEntries(Object.entries(auditedFields(configuration)).filter(([, value]) => value !== null));

export const subjectOf = (
  { id, chatId, collectionName }: Pick<Configuration, 'id' | 'chatId' | 'collectionName'>,
  chatTitle: string,
) => ({
  kind: 'telegram-configuration',
  id,
  label: `${collectionName} in ${chatTitle === '' ? `chat ${chatId}` : chatTitle}`,
});

/** Only differences (rulings R6: before, after). */
export function changedFields(before: Configuration, after: Configuration): { before: Fields; after: Fields } {
  const fieldsBefore = auditedFields(before);
  const fieldsAfter = auditedFields(after);
  const names = Object.keys(fieldsAfter).filter((name) => fieldsBefore[name] !== fieldsAfter[name]);
  const pick = (fields: Fields): Fields => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: pick(fieldsBefore), after: pick(fieldsAfter) };
}

/** Whether the change is already in effect: a repeated press, or a save of an untouched field. */
export const changesNothing = (present: Configuration, change: ConfigurationChange): boolean =>
  (Object.keys(change) as (keyof ConfigurationChange)[]).every(
    (name) => change[name] === undefined || isDeepStrictEqual(present[name], change[name]),
  );
