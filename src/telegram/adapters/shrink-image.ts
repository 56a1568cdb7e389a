import { BadPicture } from './download-image.ts';

/** First bytes of what is decoded; everything else is no image to us, whatever its sender calls it. */
const signatures: readonly { readonly at: number; readonly hex: string }[] = [
  { at: 0, hex: 'ffd8ff' },
  { at: 0, hex: '89504e470d0a1a0a' },
  // GIF8, WEBP after RIFF and a length, ftypavif and ftypavis after a length.
  { at: 0, hex: '47494638' },
  { at: 8, hex: '57454250' },
  { at: 4, hex: '6674797061766966' },
  { at: 4, hex: '6674797061766973' },
];
const svgStart = /^(?:\uFEFF)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE[^>[]*>\s*)?<svg[\s>]/i;

const sideMax = 1280;
/** 24 million pixels are 96 MB in memory while they are decoded. */
const pixelsMax = 24_000_000;
const decodeSeconds = 3;
/** Telegram's own limit (Bot API, sendPhoto). */
const ratioMax = 20;

/**
 * What Telegram shows best: a JPEG of at most 1280 pixels a side, first frame only, nothing of the original's metadata.
 * Throws BadPicture for what is no image, is too large to decode or is one thin line.
 */
export async function shrinkImage(bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  if (!looksLikeImage(bytes)) throw new BadPicture('not an image', true);
  // Loaded with the first picture: a product whose bot is off never pays for it.
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', animated: false });
    const { width, height } = await image.metadata();
    if (width * ratioMax <= height || height * ratioMax <= width) throw new BadPicture('one thin line', true);
    return await image
      .rotate()
      .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .timeout({ seconds: decodeSeconds })
      .toBuffer();
  } catch (error) {
    // The decoder's words may quote the file; its kind of failure is all that matters here.
    throw error instanceof BadPicture ? error : new BadPicture('cannot be decoded', true);
  }
}

/** librsvg, which draws SVG from memory, opens no files and no connections: there is no folder they could be relative to. */
function looksLikeImage(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 16).toString('hex');
  return (
    signatures.some(({ at, hex }) => start.startsWith(hex, at * 2)) ||
    svgStart.test(bytes.subarray(0, 2_000).toString('utf8'))
  );
}
