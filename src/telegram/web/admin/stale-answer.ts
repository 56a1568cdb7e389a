import { ApiError } from '../../../web/api-client.ts';
import type { TelegramConfiguration } from '../../contract.ts';
import { trackedKinds } from './configuration-view.ts';

/** The configuration as somebody else saved it meanwhile (409, rulings R6). null: the call failed for another reason. */
export function staleConfiguration(error: unknown): TelegramConfiguration | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  try {
    const { code, current } = JSON.parse(error.body) as { code?: unknown; current?: TelegramConfiguration };
    return code === 'stale' && typeof current?.version === 'number' ? current : null;
  } catch {
    return null;
  }
}

/** One field that another save changed. */
export interface VersionDifference {
  readonly field: string;
  readonly before: string;
  readonly now: string;
}

const shownFields = (configuration: TelegramConfiguration): Readonly<Record<string, string>> => ({
  Collection: configuration.collectionName,
  'Collection ID': configuration.collectionId,
  'Hex ID': configuration.hexCollectionId ?? '',
  'Max supply': configuration.maxSupply === null ? '' : String(configuration.maxSupply),
  Tracking: trackedKinds(configuration).join(', '),
  'Minted count': String(configuration.mintStats.mintedCount),
});

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? 'none' : text);

/** What others saved between two versions, field by field. */
export function differencesOf(before: TelegramConfiguration, now: TelegramConfiguration): readonly VersionDifference[] {
  const [old, fresh] = [shownFields(before), shownFields(now)];
  return Object.keys(fresh)
    .filter((field) => old[field] !== fresh[field])
    .map((field) => ({ field, before: orNone(old[field]), now: orNone(fresh[field]) }));
}
