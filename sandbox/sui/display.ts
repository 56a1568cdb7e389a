import type { GrpcTypes } from '@mysten/sui/grpc';
import type { Collection, DisplayKind, JsonValue, Nft } from '../world/state.ts';
import { valueOf } from './json-value.ts';

type Fields = Record<string, JsonValue>;
type Shown = { output: Fields; errors?: Record<string, string> };

/** The URL of an NFT's picture; null when it has none. */
export function imageUrlOf(nft: Nft, imageBaseUrl: string): string | null {
  return nft.imagePath === null ? null : new URL(nft.imagePath, imageBaseUrl).href;
}

/**
 * The `display` of an NFT as the node returns it: rendered from the type's Display in the registry, created as version 2 or
 * migrated from version 1. undefined: the type has none. Every value is untrusted.
 */
export function displayOf(collection: Collection, nft: Nft, imageBaseUrl: string): GrpcTypes.Display | undefined {
  const { kind, fields = {}, errors = {} } = collection.display ?? { kind: 'migrated' };
  const shown = renderings[kind](nft, imageUrlOf(nft, imageBaseUrl));
  if (shown === null) return undefined;
  const allErrors = { ...shown.errors, ...errors };
  return {
    output: valueOf({ ...shown.output, ...fields }),
    ...(Object.keys(allErrors).length > 0 && { errors: valueOf(allErrors) }),
  };
}

const renderings: Record<DisplayKind, (nft: Nft, imageUrl: string | null) => Shown | null> = {
  // Version 1 templates produce only text.
  migrated: ({ name, description, number, colour }, imageUrl) => ({
    output: {
      name,
      description,
      ...(imageUrl !== null && { image_url: imageUrl }),
      number: String(number),
      ...(colour && { colour: colour.name }),
    },
  }),
  /**
   * Values keep their structure: a `VecMap` is its list of entries, a number of up to 32 bits is a number. An empty option is null
   * without an error; a field whose template fails is null with an error.
   */
  'version-2': ({ name, description, number, colour }, imageUrl) => ({
    output: {
      name,
      description,
      image_url: imageUrl,
      number,
      attributes: { contents: colour ? [{ key: 'Color', value: colour.name }] : [] },
      project_url: null,
      creator: null,
    },
    errors: { creator: 'Field creator not found' },
  }),
  none: () => null,
};
