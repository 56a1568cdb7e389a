export type Encoding = 'br' | 'gzip' | 'identity';

const preference: readonly Encoding[] = ['br', 'gzip', 'identity'];
const rememberedLimit = 256;

/**
 * The encoding to answer in (RFC 9110, 12.5.3): the highest quality the client names, brotli before gzip before
 * identity when equal. Identity when nothing else fits, as an uncompressed answer beats a 406.
 */
export function negotiateEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',', 20)) {
    const [coding = '', ...parameters] = part.split(';');
    qualities.set(coding.trim(), qualityOf(parameters));
  }
  const star = qualities.get('*');
  let best: Encoding = 'identity';
  // Unnamed identity stays acceptable, after everything that is named.
  let bestQuality = Number.MIN_VALUE;
  for (const encoding of preference) {
    const quality = qualities.get(encoding) ?? (encoding === 'gzip' ? qualities.get('x-gzip') : undefined) ?? star ?? 0;
    if (quality > bestQuality) [best, bestQuality] = [encoding, quality];
  }
  return best;
}

/** Browsers send a handful of different headers, so each is read once. */
export function createEncodingMemory(): (header: string | undefined) => Encoding {
  const known = new Map<string, Encoding>();
  return (header) => {
    if (header === undefined) return 'identity';
    const remembered = known.get(header);
    if (remembered !== undefined) return remembered;
    const encoding = negotiateEncoding(header);
    if (known.size >= rememberedLimit) known.clear();
    known.set(header, encoding);
    return encoding;
  };
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim() !== 'q') continue;
    const quality = Number(value.trim());
    return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0;
  }
  return 1;
}
