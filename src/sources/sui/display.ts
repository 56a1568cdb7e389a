import type { GrpcTypes } from '@mysten/sui/grpc';

/** What an object's Display publishes. Untrusted text, cut to a length that fits a card. */
export interface ObjectDisplay {
  readonly name: string | null;
  readonly imageUrl: string | null;
}

const nameMax = 200;
const urlMax = 8_000;

/** null: the object has no Display. Keys as most collections use them (Sui Object Display standard). */
export function parseDisplay(display: GrpcTypes.Display | undefined): ObjectDisplay | null {
  const output = display?.output?.kind;
  if (output?.oneofKind !== 'structValue') return null;
  const textOf = (key: string): string | null => {
    const value = output.structValue.fields[key]?.kind;
    return value?.oneofKind === 'stringValue' && value.stringValue.trim() !== '' ? value.stringValue : null;
  };
  const imageUrl = textOf('image_url') ?? textOf('img_url') ?? textOf('thumbnail_url');
  return {
    name: textOf('name')?.slice(0, nameMax) ?? null,
    imageUrl: imageUrl !== null && imageUrl.length <= urlMax ? imageUrl : null,
  };
}
