import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { withTimeout } from '../../process/in-time.ts';
import { createLimiter } from '../../process/concurrency.ts';
import { BadPicture } from './download-image.ts';

/** `photo`: for Telegram; `small`: for a page; `card`: in its own size. */
export type PictureShape = 'photo' | 'small' | 'card';

/** A message to the decoding process (shrink-image-process.ts). */
export interface ShrinkRequest {
  readonly bytes: Uint8Array;
  readonly shape: PictureShape;
}

/** Its answer. `too-large`: out of memory, which ends the process. */
export type ShrinkAnswer =
  | { readonly kind: 'shrunk'; readonly picture: Uint8Array }
  | { readonly kind: 'thin-line' | 'undecodable' | 'too-large' };

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

/** The times include the start of the process. A card is our own drawing and takes about 300 ms. */
const shrinkLimits = { decodeWithinMs: 3_000, drawWithinMs: 12_000, idleMs: 30_000 };

export type ImageShrinker = ReturnType<typeof createImageShrinker>;

/**
 * Decodes in one separate process, started by the first picture and ended when idle, so that malicious bytes reach no
 * secrets.
 */
export function createImageShrinker(startDecoder = startImageDecoder, limits = shrinkLimits) {
  let decoder: ReturnType<typeof startDecoder> | null = null;
  let idle = new AbortController();
  const inTurn = createLimiter(1);
  const stop = async (): Promise<void> => {
    idle.abort();
    const ending = decoder;
    decoder = null;
    await ending?.end();
  };
  const shrinkNow = async (bytes: Buffer, signal: AbortSignal, shape: PictureShape): Promise<Buffer> => {
    signal.throwIfAborted();
    idle.abort();
    if (decoder === null || decoder.isOver()) decoder = startDecoder();
    const current = decoder;
    const endIt = (): Promise<null> => current.end().then(() => null);
    const withinMs = shape === 'card' ? limits.drawWithinMs : limits.decodeWithinMs;
    try {
      const answer = await withTimeout(current.decode(bytes, shape), withinMs, endIt);
      // A crash may have another cause than this picture, so it is not refused for good.
      if (answer === null || answer.kind === 'too-large') await endIt();
      return readAnswer(answer);
    } finally {
      idle = new AbortController();
      void delay(limits.idleMs, undefined, { ref: false, signal: idle.signal }).then(stop, () => {});
    }
  };
  return {
    /**
     * Re-encodes the first frame, without the original's metadata. `photo`: a JPEG of at most 1280 pixels a side; `small`: a
     * WebP of at most 400; `card`: a PNG. One picture at a time. Throws BadPicture if it is not an image, too large to decode
     * or one thin line.
     */
    shrink: async (bytes: Buffer, signal: AbortSignal, shape: PictureShape = 'photo'): Promise<Buffer> => {
      if (!looksLikeImage(bytes)) throw new BadPicture('not an image', true);
      // Photos go first: a message waits three seconds for its photo, a page fifteen for its pictures.
      return inTurn(() => shrinkNow(bytes, signal, shape), { isUrgent: shape === 'photo' });
    },
    /** Ends the process; a picture in it fails. The next picture starts another. */
    stop,
  };
}

function readAnswer(answer: ShrinkAnswer | null): Buffer {
  if (answer?.kind === 'shrunk' && answer.picture instanceof Uint8Array) return Buffer.from(answer.picture);
  if (answer?.kind === 'thin-line') throw new BadPicture('one thin line', true);
  if (answer?.kind === 'too-large') throw new BadPicture('takes too much memory', true);
  throw new BadPicture('cannot be decoded', answer !== null);
}

/** SVG is safe to accept: librsvg opens no files and no connections for an SVG from memory, which has no base folder. */
function looksLikeImage(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 16).toString('hex');
  return (
    signatures.some(({ at, hex }) => start.startsWith(hex, at * 2)) ||
    svgStart.test(bytes.subarray(0, 2_000).toString('utf8'))
  );
}

const program = join(import.meta.dirname, 'shrink-image-process.ts');
/** Pictures are outside V8's heap. */
const nodeFlags = ['--max-old-space-size=64', '--max-semi-space-size=1'];
/**
 * None of the product's own environment variables: no token, no database. For glibc: one arena, and large blocks go back
 * to the system when freed; otherwise 30 MB more stay allocated.
 */
const env = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '2' };

/** Starts a process that decodes one picture at a time. A process that cannot be started counts as ended. */
export function startImageDecoder() {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  let take: (answer: ShrinkAnswer | null) => void = () => {};
  const endOf = (): void => {
    isOver = true;
    take(null);
    over.resolve();
  };
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  const child = fork(program, { execArgv: nodeFlags, env, serialization: 'advanced', stdio: [...stdio] });
  child.once('error', endOf);
  child.once('close', endOf);
  child.on('message', (answer) => take(answer as ShrinkAnswer));
  return {
    /** undefined: it could not be started. */
    pid: child.pid,
    /** null: the process is gone. One picture at a time. */
    decode: async (bytes: Uint8Array, shape: PictureShape): Promise<ShrinkAnswer | null> => {
      if (isOver) return null;
      const { promise, resolve } = Promise.withResolvers<ShrinkAnswer | null>();
      take = resolve;
      // If the process dies in the middle of a picture, `close` handles it.
      child.send({ bytes, shape } satisfies ShrinkRequest, () => {});
      return promise;
    },
    isOver: () => isOver,
    /** Kills the process, even if busy. Resolves when it is gone. */
    end: (): Promise<void> => {
      child.kill('SIGKILL');
      return over.promise;
    },
  };
}
