import sharp, { type Sharp } from 'sharp';

import type { PictureShape, ShrinkAnswer, ShrinkRequest } from './shrink-image.ts';

/**
 * The decoding process, started by shrink-image.ts: each message is a picture, and is answered by one. It has no secrets, and its
 * fragmented memory is freed when it ends.
 */
const photoSideMax = 1280;
/** Twice the size of a gallery card, for high-resolution screens. */
const smallSideMax = 400;
/** 24 million pixels are 96 MB in memory while they are decoded. */
const pixelsMax = 24_000_000;
/** Telegram's own limit (Bot API, sendPhoto). */
const ratioMax = 20;

sharp.concurrency(1);
sharp.cache(false);

const send = (answer: ShrinkAnswer, then = (): void => {}): void =>
  void process.send?.(answer, undefined, undefined, then);

process.on('message', ({ bytes, shape }: ShrinkRequest) => {
  // The decoder's message may quote the file; only the kind of failure matters.
  shrink(bytes, shape).then(send, () => send({ kind: 'undecodable' }));
});

/** The first frame without the original's metadata. */
async function shrink(bytes: Uint8Array, shape: PictureShape): Promise<ShrinkAnswer> {
  const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', animated: false });
  const { width, height } = await image.metadata();
  if (width * ratioMax <= height || height * ratioMax <= width) return { kind: 'thin-line' };
  return { kind: 'shrunk', picture: await shaped(image.rotate(), shape).toBuffer() };
}

function shaped(image: Sharp, shape: PictureShape): Sharp {
  if (shape === 'card') return image.png({ palette: true, colours: 128, effort: 7 });
  if (shape === 'small') return inside(image, smallSideMax).webp({ quality: 72 });
  return inside(image, photoSideMax).flatten({ background: '#ffffff' }).jpeg({ quality: 85 });
}

const inside = (image: Sharp, side: number): Sharp =>
  image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });

/**
 * A drawing of a few kB can request gigabytes (filters, embedded pictures), and the system might kill other processes
 * for lack of memory. Pictures within the other limits need less than half of this. Decoding has its own threads, so this
 * timer keeps running.
 */
const memoryMaxBytes = 512 * 1024 * 1024;
const memoryCheckMs = 20;
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMaxBytes) send({ kind: 'too-large' }, end);
}, memoryCheckMs);

/** Kills the process, because a clean exit would wait for the decoder. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

// A Ctrl-C in the terminal reaches both processes. The product ends this one, or dies and closes the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', end);
