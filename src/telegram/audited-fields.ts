import type { Configuration } from './adapters/configuration-row.ts';
import { shownOptions } from './core/shown-options.ts';
import { zoneText } from './core/time-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the log of changes says of a configuration, under the names that its screens use. */
const auditedFields = (configuration: Configuration): Fields => ({
  chatId: configuration.chatId,
  collectionName: configuration.collectionName,
  collectionId: configuration.collectionId,
  hexCollectionId: configuration.hexCollectionId,
  maxSupply: configuration.maxSupply,
  mintedCount: configuration.mintedCount,
  trackMint: configuration.trackMint,
  trackSales: configuration.trackSales,
  trackListings: configuration.trackListings,
  trackBids: configuration.trackBids,
  ...shownOptions(configuration),
  timeZone: zoneText(configuration.timeZone),
  isDeleted: configuration.deletedAt !== null,
});

/** Of a new configuration: what is not set is not told. */
export const presentFields = (configuration: Configuration): Fields =>
  Object.fromEntries(Object.entries(auditedFields(configuration)).filter(([, value]) => value !== null));

/** A configuration as every entry of the log names it. */
export const subjectOf = (
  { id, chatId, collectionName }: Pick<Configuration, 'id' | 'chatId' | 'collectionName'>,
  chatTitle: string,
) => ({
  kind: 'telegram-configuration',
  id,
  label: `${collectionName} in ${chatTitle === '' ? `chat ${chatId}` : chatTitle}`,
});

/** Only what differs (rulings R6: before, after). */
export function changedFields(before: Configuration, after: Configuration): { before: Fields; after: Fields } {
  const [was, is] = [auditedFields(before), auditedFields(after)];
  const names = Object.keys(is).filter((name) => was[name] !== is[name]);
  const pick = (fields: Fields): Fields => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: pick(was), after: pick(is) };
}
