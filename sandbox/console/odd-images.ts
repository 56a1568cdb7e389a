import type { Answer } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import { pngOf, pngSignature, vastPng } from './png.ts';

export const oddImagePrefix = '/image/odd/';
const tooLargeBytes = 24 * 1024 * 1024;
const slowMs = 60_000;

function binary(type: string, body: Buffer): Answer {
  return { status: 200, headers: { 'content-type': type }, body };
}

const script = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>';

/** Broken and hostile images; `set-image` gives one to an NFT. */
const oddImages: Readonly<Record<string, () => Answer>> = {
  'picture.png': () => binary('image/png', pngOf(320, 320)),
  'script.svg': () => textAnswer(200, script, 'image/svg+xml'),
  'not-an-image': () => textAnswer(200, '<!doctype html><title>Buy now</title>', 'image/png'),
  'half.png': () => binary('image/png', pngOf(320, 320).subarray(0, 90)),
  empty: () => binary('image/png', Buffer.alloc(0)),
  'too-large': () => binary('image/png', Buffer.concat([pngSignature, Buffer.alloc(tooLargeBytes)])),
  vast: () => binary('image/png', vastPng()),
  missing: () => textAnswer(404, 'Not found'),
  broken: () => textAnswer(500, 'Internal Server Error'),
  elsewhere: () => ({ status: 302, headers: { location: '/image/odd/picture.png' }, body: '' }),
  inward: () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' }, body: '' }),
  'round-and-round': () => ({ status: 302, headers: { location: '/image/odd/round-and-round' }, body: '' }),
};

/** The odd picture of a path under `/image/odd/`; `slow` is answered after a minute. */
export async function oddImage(path: string, gone: AbortSignal): Promise<Answer> {
  const name = path.slice(oddImagePrefix.length);
  if (name === 'slow') {
    await until(slowMs, gone);
    return binary('image/png', pngOf(320, 320));
  }
  const make = Object.hasOwn(oddImages, name) ? oddImages[name] : undefined;
  return make ? make() : jsonAnswer(404, { message: `Known images: slow, ${Object.keys(oddImages).join(', ')}` });
}

function until(milliseconds: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    gone.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
