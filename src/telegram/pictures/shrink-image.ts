import { BadPicture } from './download-image.ts';
import { startImageDecoder } from './image-decoder.ts';
import { verdict } from './picture-wire.ts';

/** First bytes of the accepted formats, whatever content type the server claims. */
const signatures: readonly { readonly at: number; readonly hex: string }[] = [
  { at: 0, hex: 'ffd8ff' },
  { at: 0, hex: '89504e470d0a1a0a' },
  // GIF8, WEBP after RIFF and a length, ftypavif and ftypavis after a length.
  { at: 0, hex: '47494638' },
  { at: 8, hex: '57454250' },
  { at: 4, hex: '6674797061766966' },
  { at: 4, hex: '6674797061766973' },
];
/** A comment must not contain its own end: several in a row would otherwise backtrack for ever. */
const svgStart = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE[^>[]*>\s*)?<svg[\s>]/i;

/** Includes the start of the process for its first picture. */
const shrinkLimits = { decodeWithinMs: 3_000, idleMs: 30_000 };

export interface ImageShrinker {
  /**
   * A JPEG of at most 1280 pixels a side, as Telegram shows best: first frame only, without the original's metadata.
   * One picture at a time. Throws BadPicture if it is no image, too large to decode or one thin line.
   */
  shrink(bytes: Buffer, signal: AbortSignal): Promise<Buffer>;
  /** Ends the process; a picture in it fails. The next picture starts another. */
  stop(): Promise<void>;
}

/**
 * Decodes in a process of its own, started by the first picture and ended when idle: a product whose bot is off never
 * pays for it, and malicious bytes meet a decoder that has no secrets.
 */
export function createImageShrinker(startDecoder = startImageDecoder, limits = shrinkLimits): ImageShrinker {
  let decoder: ReturnType<typeof startDecoder> | null = null;
  let idle: NodeJS.Timeout | undefined;
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = decoder;
    decoder = null;
    await ending?.end();
  };
  return {
    shrink: async (bytes, signal) => {
      signal.throwIfAborted();
      if (!looksLikeImage(bytes)) throw new BadPicture('not an image', true);
      clearTimeout(idle);
      if (decoder === null || decoder.isOver()) decoder = startDecoder();
      const asked = decoder;
      const deadline = setTimeout(() => void asked.end(), limits.decodeWithinMs);
      try {
        const answer = await asked.ask(bytes);
        // The crash may have another cause than this picture: it is tried again later.
        if (answer === null || answer[0] === verdict.tooLarge) await asked.end();
        return readAnswer(answer);
      } finally {
        clearTimeout(deadline);
        if (decoder === asked) idle = setTimeout(() => void stop(), limits.idleMs).unref();
      }
    },
    stop,
  };
}

function readAnswer(answer: Buffer | null): Buffer {
  const kind = answer?.[0];
  if (answer !== null && kind === verdict.shrunk) return answer.subarray(1);
  if (kind === verdict.thinLine) throw new BadPicture('one thin line', true);
  if (kind === verdict.tooLarge) throw new BadPicture('takes too much memory', true);
  throw new BadPicture('cannot be decoded', kind === verdict.undecodable);
}

/** librsvg, given SVG from memory, opens no files and no connections: it has no base folder. */
function looksLikeImage(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 16).toString('hex');
  return (
    signatures.some(({ at, hex }) => start.startsWith(hex, at * 2)) ||
    svgStart.test(bytes.subarray(0, 2_000).toString('utf8'))
  );
}
