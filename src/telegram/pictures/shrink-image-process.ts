import sharp from 'sharp';

import { createFrameReader, pictureMaxBytes, verdict, writeFrame } from './picture-wire.ts';

/**
 * A process of its own, started by shrink-image.ts: pictures come on stdin, answers go to stdout (picture-wire.ts). It
 * has no secrets, and its fragmented memory is freed when it ends.
 */
const sideMax = 1280;
/** 24 million pixels are 96 MB in memory while they are decoded. */
const pixelsMax = 24_000_000;
/** Telegram's own limit (Bot API, sendPhoto). */
const ratioMax = 20;

sharp.concurrency(1);
sharp.cache(false);

const answer = async (bytes: Buffer): Promise<void> => {
  try {
    const jpeg = await shrink(bytes);
    const kind = jpeg === null ? verdict.thinLine : verdict.shrunk;
    writeFrame(process.stdout, [Buffer.of(kind), ...(jpeg === null ? [] : [jpeg])]);
  } catch {
    // The decoder's message may quote the file; only the kind of failure matters.
    writeFrame(process.stdout, [Buffer.of(verdict.undecodable)]);
  }
};

/** The first frame as a JPEG without the original's metadata; null: one thin line. */
async function shrink(bytes: Buffer): Promise<Buffer | null> {
  const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', animated: false });
  const { width, height } = await image.metadata();
  if (width * ratioMax <= height || height * ratioMax <= width) return null;
  return image
    .rotate()
    .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/**
 * A drawing of a few kB can request gigabytes (filters, embedded pictures), and the system might kill other processes
 * for lack of memory. What the other limits allow takes less than half of this. Decoding has its own threads, so this
 * timer keeps running.
 */
const memoryMaxBytes = 512 * 1024 * 1024;
const memoryCheckMs = 20;
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryMaxBytes) return;
  writeFrame(process.stdout, [Buffer.of(verdict.tooLarge)]);
  end();
}, memoryCheckMs);

/** Immediately: a clean exit would wait for the decoder. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

// A Ctrl-C in the terminal reaches both; the product ends this process, or dies and closes its stdin.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.on(
  'data',
  createFrameReader(pictureMaxBytes, (bytes) => (bytes === null ? end() : void answer(bytes))),
);
for (const event of ['end', 'error'] as const) process.stdin.on(event, end);
process.stdout.on('error', end);
