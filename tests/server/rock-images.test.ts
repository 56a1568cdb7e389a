import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createRockImages } from '../../src/market/rocks/rock-images.ts';
import { createImageShrinker } from '../../src/sources/pictures/shrink-image.ts';
import { createPictureReader, type PictureReader } from '../../src/sources/pictures/read-picture.ts';

let host: Server;
let asked: number;
let answer: RequestListener;
let reader: PictureReader;
beforeEach(async () => {
  asked = 0;
  host = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  reader = open([hostName()]);
});
afterEach(async () => {
  reader.stop();
  await shrinker.stop();
  host.closeAllConnections();
  host.close();
});

const shrinker = createImageShrinker();
const hostName = (): string => `127.0.0.1:${(host.address() as AddressInfo).port}`;
const open = (trustedHosts: readonly string[]): PictureReader =>
  createPictureReader(
    { trustedHosts, gateways: { ipfs: 'https://127.0.0.1/ipfs/', walrus: 'https://127.0.0.1/blobs/' }, waitMs: 30_000 },
    shrinker,
  );
const served =
  (body: Buffer): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end(body);
const square = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
let nowMs = 0;
const imagesOf = (imageUrl: string | null, color: string | null = 'Azure Pulse') =>
  createRockImages({
    find: (number) => (number === 1 ? { imageUrl, color } : null),
    reader,
    clock: { now: () => new Date(nowMs) },
    log: { info: () => {} },
  });

test('a picture is downloaded once, made small, and cached by browsers for a day', async () => {
  answer = served(await square(1_600));
  const images = imagesOf(`http://${hostName()}/1.png`);
  const [first, second] = await Promise.all([images.image(1), images.image(1)]);
  expect([first?.contentType, first?.cacheControl]).toEqual(['image/webp', 'public, max-age=86400']);
  expect(await sharp(first?.identity).metadata()).toMatchObject({ format: 'webp', width: 400, height: 400 });
  expect(second).toBe(first);
  expect(await images.image(1)).toBe(first);
  expect(asked).toBe(1);
});

test('a rock whose picture is missing or fails is drawn in its color, and a failed picture is retried only after a while', async () => {
  const drawn = await imagesOf(null).image(1);
  expect(drawn?.contentType).toContain('image/svg+xml');
  answer = served(Buffer.from('<!doctype html><script>alert(1)</script>'));
  const images = imagesOf(`http://${hostName()}/1.png`);
  expect((await images.image(1))?.identity).toEqual(drawn?.identity);
  await images.image(1);
  expect(asked).toBe(1);
  nowMs += 86_400_000;
  await images.image(1);
  expect(asked).toBe(2);
  expect((await imagesOf(null, null).image(1))?.identity.toString()).toContain('stroke-dasharray');
});

test('no request goes to an address inside our own network', async () => {
  answer = served(await square(8));
  reader.stop();
  reader = open([]);
  for (const imageUrl of [
    `http://${hostName()}/1.png`,
    `https://${hostName()}/1.png`,
    'https://169.254.169.254/',
    'file:///etc/passwd',
  ]) {
    expect((await imagesOf(imageUrl).image(1))?.contentType).toContain('image/svg+xml');
  }
  expect(asked).toBe(0);
});

test('a number that is not minted has no picture', async () => {
  expect(await imagesOf(null).image(2)).toBeNull();
});
