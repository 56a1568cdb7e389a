import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { RockAnswer } from '../../src/market/rocks-contract.ts';
import { shareCardSvg } from '../../artwork/share-card.ts';
import { createSharePictures } from '../../src/site/share-pictures.ts';
import { createImageShrinker } from '../../src/sources/pictures/shrink-image.ts';
import { askRoute } from '../support/route-request.ts';

type Shared = Pick<RockAnswer, 'color' | 'listing'>;

const shrinker = createImageShrinker();
let rocks: Map<number, Shared>;
let pictures: ReturnType<typeof createSharePictures>;
beforeEach(() => {
  rocks = new Map([[12, { color: 'Azure Pulse', listing: { priceMist: '12500000000', market: 'tradeport' } }]]);
  pictures = createSharePictures({ find: (number) => rocks.get(number) ?? null, shrinker });
});
afterEach(() => shrinker.stop());

async function ask(number: string) {
  const [route] = pictures.routes;
  if (route === undefined) throw new Error('There is no such call');
  const answer = await askRoute(route, { params: { number } });
  if (!('ready' in answer)) throw new Error('Not a picture');
  return answer.ready;
}

test("a rock's preview is a PNG of 1200 x 630 pixels, and other sites may show it", async () => {
  const picture = await ask('12');
  expect(await sharp(picture.identity).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  expect(picture.contentType).toBe('image/png');
  expect(picture.extraHeaders).toEqual({ 'Cross-Origin-Resource-Policy': 'cross-origin' });
  expect(picture.identity.byteLength).toBeLessThan(60_000);
});

test("a rock's preview is drawn once, and again when its color or price changes", async () => {
  const first = await ask('12');
  expect(await ask('12')).toBe(first);
  rocks.set(12, { color: 'Azure Pulse', listing: null });
  const second = await ask('12');
  rocks.set(12, { color: 'Frosted Mist', listing: null });
  const third = await ask('12');
  expect(new Set([first.etag, second.etag, third.etag]).size).toBe(3);
});

test("a rock's preview says 'Not for sale' only of a rock that is known not to be for sale", async () => {
  const tagOf = async (listing: RockAnswer['listing']): Promise<string> => {
    rocks.set(12, { color: null, listing });
    return (await ask('12')).etag;
  };
  const notForSale = await tagOf(null);
  const atUnknownPrice = await tagOf({ priceMist: null, market: 'tradeport' });
  pictures = createSharePictures({ find: () => undefined, shrinker });
  const unread = (await ask('12')).etag;
  expect(new Set([notForSale, atUnknownPrice, unread]).size).toBe(3);
  const forSale = { number: 12, stone: null, colorName: null, isForSale: true };
  expect(shareCardSvg({ ...forSale, price: null })).toBe(shareCardSvg({ ...forSale, price: 'For sale' }));
});

test('only the newest preview of each rock is cached, so price changes push out no other rock', async () => {
  const first = await ask('12');
  rocks.set(12, { color: 'Azure Pulse', listing: null });
  await ask('12');
  rocks.set(12, { color: 'Azure Pulse', listing: { priceMist: '12500000000', market: 'tradeport' } });
  const again = await ask('12');
  expect(again).not.toBe(first);
  expect(again.etag).toBe(first.etag);
});

test('a request that waits too long gets a time for the next try, and the picture is ready then', async () => {
  const drawing = Promise.withResolvers<Buffer>();
  pictures = createSharePictures({
    find: (number) => rocks.get(number) ?? null,
    shrinker: { shrink: () => drawing.promise },
    waitMs: 1,
  });
  await expect(ask('12')).rejects.toMatchObject({ reason: 'too-many-at-once', retryAfterMs: 10_000 });
  drawing.resolve(Buffer.from('drawn'));
  await drawing.promise;
  expect((await ask('12')).identity.toString()).toBe('drawn');
});

test('a number that is not minted has no preview, and other text is refused', async () => {
  await expect(ask('13')).rejects.toMatchObject({ reason: 'not-found' });
  // Also before any rock was read, when most numbers have a preview without facts.
  pictures = createSharePictures({ find: () => undefined, shrinker });
  expect((await ask('555')).contentType).toBe('image/png');
  await expect(ask('556')).rejects.toMatchObject({ reason: 'not-found' });
  for (const text of ['0', '-1', '1e2', 'abc']) await expect(ask(text)).rejects.toThrow('whole number');
});
