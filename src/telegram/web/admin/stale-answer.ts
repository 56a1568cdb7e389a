import { differencesBetween, type ShownFields, type VersionDifference } from '../../../ui/api/versioned-change.tsx';
import type { TelegramConfiguration } from './telegram-answers.ts';
import { trackedKinds } from './configuration-view.ts';

const shownFields = (configuration: TelegramConfiguration): ShownFields => ({
  Collection: configuration.collectionName,
  'Collection ID': configuration.collectionId,
  'Hex ID': configuration.hexCollectionId ?? '',
  'Max supply': configuration.maxSupply === null ? '' : String(configuration.maxSupply),
  Tracking: trackedKinds(configuration).join(', '),
  'Minted count': String(configuration.mintStats?.mintedCount ?? ''),
});

/** What others saved between two versions, field by field. */
export const differencesOf = (
  before: TelegramConfiguration,
  now: TelegramConfiguration,
): readonly VersionDifference[] => differencesBetween(shownFields(before), shownFields(now));
