import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { until } from '../../../tests/support/until.ts';
import { createImageShrinker, type ImageShrinker, type PictureShape, startImageDecoder } from './shrink-image.ts';

/** Rulings R4: untrusted pictures are decoded within limits, and harm to the decoder reaches nothing else. */
const limits = { decodeWithinMs: 10_000, drawWithinMs: 10_000, idleMs: 30_000 };
let decoders: ReturnType<typeof startImageDecoder>[];
let shrinkers: ImageShrinker[];
beforeEach(() => {
  decoders = [];
  shrinkers = [];
});
afterEach(async () => {
  await Promise.all(shrinkers.map((shrinker) => shrinker.stop()));
});

const start = (given: Partial<typeof limits> = {}): ImageShrinker => {
  const startDecoder = () => {
    const decoder = startImageDecoder();
    decoders.push(decoder);
    return decoder;
  };
  const shrinker = createImageShrinker(startDecoder, { ...limits, ...given });
  shrinkers.push(shrinker);
  return shrinker;
};
const shrink = (shrinker: ImageShrinker, bytes: Buffer): Promise<Buffer> =>
  shrinker.shrink(bytes, new AbortController().signal);
const png = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
/** Many layers of noise: minutes of work to draw. */
const endlessSvg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"><filter id="n">${'<feTurbulence baseFrequency="0.9" numOctaves="9"/>'.repeat(40)}</filter><rect width="4000" height="4000" filter="url(#n)"/></svg>`,
);

describe('decoding pictures', () => {
  it('makes a JPEG of at most 1280 pixels a side, in one process that takes one picture at a time', async () => {
    const shrinker = start();
    expect(decoders).toEqual([]);
    for (const [width, height] of [
      [2_000, 1_000],
      [1_000, 2_000],
    ] as const) {
      const made = await sharp(await shrink(shrinker, await png(width, height))).metadata();
      expect(made).toMatchObject({ format: 'jpeg', width: width * 0.64, height: height * 0.64 });
    }
    expect(decoders).toHaveLength(1);
  });

  it("makes one picture at a time, and a message's photo before the other pictures that wait", async () => {
    const made: string[] = [];
    const shrinker = start();
    const picture = await png(64, 64);
    const { signal } = new AbortController();
    const make = async (name: string, shape: PictureShape): Promise<void> => {
      await shrinker.shrink(picture, signal, shape);
      made.push(name);
    };
    await Promise.all([
      make('first of a page', 'small'),
      make('second of a page', 'small'),
      make('of a message', 'photo'),
    ]);
    expect(made).toEqual(['first of a page', 'of a message', 'second of a page']);
    expect(decoders).toHaveLength(1);
  });

  it('refuses a bomb, a cut-off picture and garbage for good, and the same process makes the next picture', async () => {
    const shrinker = start();
    const garbage = Buffer.concat([(await png(8, 8)).subarray(0, 8), Buffer.alloc(100_000, 'x')]);
    for (const bad of [await png(20_000, 10_000), (await png(64, 64)).subarray(0, 60), garbage]) {
      await expect(shrink(shrinker, bad)).rejects.toMatchObject({ message: 'cannot be decoded', isPermanent: true });
    }
    await expect(shrink(shrinker, await png(2_000, 10))).rejects.toMatchObject({ message: 'one thin line' });
    expect((await shrink(shrinker, await png(64, 64))).byteLength).toBeGreaterThan(100);
    expect(decoders).toHaveLength(1);
  });

  it.each([
    ['many comments', '<!---->'.repeat(28)],
    ['comments with blanks', '<!-- --> \n '.repeat(28)],
    ['a comment that never ends', '<!--'.repeat(500)],
    ['blanks', ' '.repeat(2_000)],
  ])('quickly refuses text that only begins like an SVG: %s', async (_what, text) => {
    const startedMs = performance.now();
    await expect(shrink(start(), Buffer.from(text))).rejects.toMatchObject({ message: 'not an image' });
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(decoders).toEqual([]);
  });

  it('takes an SVG that begins with a declaration, comments and a document type', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
    const head =
      '\uFEFF<?xml version="1.0"?>\n<!-- one - two -->\n<!----><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n';
    expect((await shrink(start(), Buffer.from(head + drawing))).byteLength).toBeGreaterThan(100);
  });

  it('shows no file of this machine in an SVG, neither by a link nor by an entity', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rocks-'));
    const red = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await writeFile(join(folder, 'red.png'), red);
    await writeFile(join(folder, 'red.xml'), '<rect width="40" height="40" fill="red"/>');
    const linked = (href: string): string => `<image href="${href}" width="40" height="40"/>`;
    const redOf = async (head: string, body: string): Promise<number> => {
      const text = `${head}<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="blue"/>${body}</svg>`;
      const { channels } = await sharp(await shrink(start(), Buffer.from(text))).stats();
      return channels[0]?.mean ?? Number.NaN;
    };
    try {
      expect(await redOf('', linked(`data:image/png;base64,${red.toString('base64')}`))).toBeGreaterThan(200);
      for (const href of [`file://${folder}/red.png`, `${folder}/red.png`, 'red.png']) {
        expect(await redOf('', linked(href))).toBeLessThan(10);
      }
      const entity = `<!DOCTYPE svg [<!ENTITY stolen SYSTEM "file://${folder}/red.xml">]>`;
      // Refused, or drawn without it.
      expect(await redOf(entity, '&stolen;').catch(() => 0)).toBeLessThan(10);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses a picture that takes too much memory for good, and makes the next one in a new process', async () => {
    const shrinker = start();
    const layers = Array.from({ length: 100 }, (_none, at) => `layer${at}`);
    const floods = layers.map((layer) => `<feFlood flood-color="red" result="${layer}"/>`).join('');
    const merged = layers.map((layer) => `<feMergeNode in="${layer}"/>`).join('');
    // 100 layers of 96 MB, all kept in memory: gigabytes from a few kB.
    const vastSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="4890" height="4890"><filter id="f" x="0" y="0" width="1" height="1">${floods}<feMerge>${merged}</feMerge></filter><rect width="4890" height="4890" filter="url(#f)"/></svg>`;
    await expect(shrink(shrinker, Buffer.from(vastSvg))).rejects.toMatchObject({
      message: 'takes too much memory',
      isPermanent: true,
    });
    await shrink(shrinker, await png(64, 64));
    expect(decoders).toHaveLength(2);
  });

  it('makes a picture of the largest allowed size', async () => {
    expect((await shrink(start(), await png(6_000, 4_000))).byteLength).toBeGreaterThan(100);
  });

  it('ends the process when a picture takes too long, and makes the next one in a new process', async () => {
    const shrinker = start({ decodeWithinMs: 2_500 });
    const startedMs = performance.now();
    await expect(shrink(shrinker, endlessSvg)).rejects.toMatchObject({
      message: 'cannot be decoded',
      isPermanent: false,
    });
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    expect(decoders[0]?.isOver()).toBe(true);
    await shrink(shrinker, await png(64, 64));
    expect(decoders).toHaveLength(2);
  });

  it('loses only the current picture when the process is killed', async () => {
    const shrinker = start();
    await shrink(shrinker, await png(64, 64));
    const lost = shrink(shrinker, endlessSvg);
    process.kill(decoders[0]?.pid ?? 0, 'SIGKILL');
    await expect(lost).rejects.toMatchObject({ message: 'cannot be decoded', isPermanent: false });
    await shrink(shrinker, await png(64, 64));
    expect(decoders).toHaveLength(2);
  });

  it('ends the process when there is no work, and starts another for the next picture', async () => {
    const shrinker = start({ idleMs: 50 });
    await shrink(shrinker, await png(64, 64));
    await until('the process is gone', () => decoders[0]?.isOver() === true);
    await shrink(shrinker, await png(64, 64));
    expect(decoders).toHaveLength(2);
  });

  it('ends the process at once on a stop, even in the middle of a picture', async () => {
    const shrinker = start();
    await shrink(shrinker, await png(64, 64));
    const lost = expect(shrink(shrinker, endlessSvg)).rejects.toThrow('cannot be decoded');
    const startedMs = performance.now();
    await shrinker.stop();
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(decoders[0]?.isOver()).toBe(true);
    await lost;
  });

  it('ends by itself when the product is gone, even in the middle of a picture', async () => {
    const program = join(import.meta.dirname, 'shrink-image-process.ts');
    const child = fork(program, { execArgv: [], env: {}, serialization: 'advanced' });
    const exited = once(child, 'exit');
    child.send({ bytes: await png(64, 64), shape: 'photo' });
    await once(child, 'message');
    child.send({ bytes: endlessSvg, shape: 'photo' });
    const startedMs = performance.now();
    // The system closes the channel like this when the product is killed.
    child.disconnect();
    await exited;
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it.runIf(process.platform === 'linux')("has none of the product's environment variables", async () => {
    await shrink(start(), await png(64, 64));
    const environment = readFileSync(`/proc/${decoders[0]?.pid}/environ`, 'utf8');
    const names = environment.split('\0').map((line) => line.split('=')[0]);
    expect(names.filter((name) => name !== '')).toEqual([
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'UV_THREADPOOL_SIZE',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
    ]);
  });
});
