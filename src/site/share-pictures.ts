import { z } from 'zod';

import { shareCardSvg } from '../../artwork/share-card.ts';
import { makePackedAnswer, type ReadyAnswer } from '../http/ready/ready-answer.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { RockAnswer } from '../market/rocks-contract.ts';
import { withTimeout } from '../process/in-time.ts';
import { createLimiter } from '../process/concurrency.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { parsed, wholeNumber } from '../shared/parsed-text.ts';
import { rockColors } from '../shared/rock-colors.ts';
import type { ImageShrinker } from '../sources/pictures/shrink-image.ts';
import { collection } from './content.ts';
import { suiText } from './web/rocks/rock-words.ts';

/** Rulings R8: the preview of a rock's page in social networks, with number, color and price. */

type Shared = Pick<RockAnswer, 'color' | 'listing'>;

export interface SharePicturesDeps {
  /** null: no rock with that number is minted; undefined: nothing was ever read. */
  readonly find: (number: number) => Shared | null | undefined;
  readonly shrinker: Pick<ImageShrinker, 'shrink'>;
  /** The longest wait for a picture, including its turn in the queue. Changed only by tests. */
  readonly waitMs?: number;
}

const againAfterMs = 10_000;

interface Drawn {
  /** What the picture shows, as JSON. */
  readonly content: string;
  readonly picture: Promise<ReadyAnswer>;
}

/** Drawn on the first request, one at a time, so that other pictures get their turn; drawn again when the color or the price changes. */
export function createSharePictures({ find, shrinker, waitMs = 15_000 }: SharePicturesDeps) {
  const inTurn = createLimiter(1);
  /** By rock number: at most one for each rock of the collection, about 15 kB each. */
  const drawn = new Map<number, Drawn>();

  const draw = async (svg: string): Promise<ReadyAnswer> => {
    const { signal } = new AbortController();
    const png = await inTurn(() => shrinker.shrink(Buffer.from(svg), signal, 'card')).catch((error: unknown) => {
      throw new Unavailable('picture-not-drawn', 'The preview could not be drawn', error, againAfterMs);
    });
    return makePackedAnswer(png, pictureOptions);
  };
  const pictureOf = (number: number, rock: Shared | null): Promise<ReadyAnswer> => {
    const price = rock?.listing?.priceMist ? suiText(rock.listing.priceMist) : null;
    const color = rockColors.find(({ name }) => name === rock?.color);
    const isForSale = rock === null ? null : rock.listing !== null;
    const card = { number, stone: color?.stone ?? null, colorName: color?.name ?? null, isForSale, price };
    const content = JSON.stringify(card);
    const known = drawn.get(number);
    if (known?.content === content) return known.picture;
    const entry: Drawn = { content, picture: draw(shareCardSvg(card)) };
    drawn.set(number, entry);
    entry.picture.catch(() => drawn.get(number) === entry && drawn.delete(number));
    return entry.picture;
  };
  return {
    routes: [
      shareRoute((number) => {
        const rock = number > collection.totalSupply ? null : find(number);
        if (rock === null) throw new Refused('not-found', `No rock has the number ${number}.`);
        return withTimeout(pictureOf(number, rock ?? null), waitMs, () => {
          throw new Unavailable('too-many-at-once', 'Too many previews are being drawn', undefined, againAfterMs);
        });
      }),
    ],
  };
}

const shareRoute = (picture: (number: number) => Promise<ReadyAnswer>): Route =>
  defineRoute({
    method: 'GET',
    path: '/rock-images/{number}/card.png',
    access: 'public',
    summary: "The preview of a rock's page, 1200 x 630, with number, color and price",
    params: z.strictObject({
      number: parsed('A rock number is a whole number, 1 or higher.', wholeNumber(999_999_999)),
    }),
    // The listed price, so that the address changes with it; the picture always shows the current price.
    query: z.object({ at: z.string().max(40).optional() }),
    answer: 'raw',
    handle: async ({ params: { number } }) => ({ status: 200, ready: await picture(number) }),
  });

/** Other sites show these pictures, which the common headers would forbid. */
const pictureOptions = {
  contentType: 'image/png',
  cacheControl: 'public, max-age=3600',
  extraHeaders: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
};
