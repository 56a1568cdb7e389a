import { gallery } from '../../../artwork/gallery.ts';
import { makePackedAnswer, makeReadyAnswer, type ReadyAnswer } from '../../http/ready/ready-answer.ts';
import { withTimeout } from '../../process/in-time.ts';
import { rockColors } from '../../shared/rock-colors.ts';
import type { PictureReader } from '../../sources/pictures/read-picture.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import type { RockAnswer } from '../rocks-contract.ts';

/** Rulings R8 and R3: pictures of rocks are untrusted files. The server downloads them and serves its own re-encoded copy. */

export type RockImages = ReturnType<typeof createRockImages>;

export interface RockImagesDeps {
  /** As in the catalog: null if no such rock is minted, undefined if no rocks have been read yet. */
  readonly find: (number: number) => Pick<RockAnswer, 'color' | 'imageUrl'> | null | undefined;
  readonly reader: Pick<PictureReader, 'read'>;
  readonly clock: { now(): Date };
  readonly log: { info(details: object, message: string): void };
}

/** About 8 kB each: the whole collection, with room for a larger one. */
const keptMax = 1_000;
const visitorWaitsMs = 5_000;
const againSoonMs = 10 * 60_000;
const againLateMs = 24 * 3_600_000;

export function createRockImages({ find, reader, clock, log }: RockImagesDeps) {
  const cached = createAnswerCache<{ readonly picture: ReadyAnswer | null; readonly keepMs: number }>(
    clock,
    ({ keepMs }) => keepMs,
    keptMax,
  );
  const read = async (imageUrl: string) => {
    const found = await reader.read(imageUrl, 'small');
    if (found.kind === 'read') return { picture: makePackedAnswer(found.bytes, pictureOptions), keepMs: Infinity };
    if (found.kind !== 'failed') return { picture: null, keepMs: 0 };
    const { reason, host, isPermanent } = found;
    log.info({ reason, host }, 'The picture of a rock is unavailable; it is drawn instead');
    return { picture: null, keepMs: isPermanent ? againLateMs : againSoonMs };
  };
  const pictureOf = async (imageUrl: string): Promise<ReadyAnswer | null> => {
    const reading = cached(imageUrl, () => read(imageUrl));
    const found = await withTimeout(reading, visitorWaitsMs, () => null);
    return found?.picture ?? null;
  };
  const drawn = new Map<string | null, ReadyAnswer>();
  const drawnFor = (color: string | null): ReadyAnswer => {
    const drawing = drawn.get(color) ?? drawingOf(color);
    drawn.set(color, drawing);
    return drawing;
  };
  return {
    /** The rock's picture, or a drawing in its place. null: no rock with that number is minted. */
    image: async (number: number): Promise<ReadyAnswer | null> => {
      const rock = find(number);
      if (rock === null) return null;
      const imageUrl = rock?.imageUrl ?? null;
      const picture = imageUrl === null ? null : await pictureOf(imageUrl);
      return picture ?? drawnFor(rock?.color ?? null);
    },
  };
}

const pictureOptions = { contentType: 'image/webp', cacheControl: 'public, max-age=86400' };
/** Cached briefly: the real picture may be available soon. */
const drawnOptions = { contentType: 'image/svg+xml; charset=utf-8', cacheControl: 'public, max-age=300' };

const outline =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 170 140" width="170" height="140">' +
  '<path d="M18 128 34 62 78 18 126 34 154 84 150 128Z" fill="none" stroke="#7b8a99" stroke-width="3" stroke-dasharray="6 6"/></svg>';

/** The drawing for this color; an outline if the color is not known. */
function drawingOf(color: string | null): ReadyAnswer {
  const stone = rockColors.find(({ name }) => name === color)?.stone;
  return makeReadyAnswer(gallery[`rock-${stone}`]?.() ?? outline, drawnOptions);
}
