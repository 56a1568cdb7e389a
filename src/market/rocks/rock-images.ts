import { gallery } from '../../../artwork/gallery.ts';
import { makePackedAnswer, makeReadyAnswer, type ReadyAnswer } from '../../http/ready/ready-answer.ts';
import { inTime } from '../../process/in-time.ts';
import { rockColors } from '../../shared/rock-colors.ts';
import type { PictureReader } from '../../sources/pictures/read-picture.ts';
import type { RockAnswer } from '../rocks-contract.ts';

/** Rulings R8 and R3: the pictures of rocks are strangers' files. The server reads them, draws them anew, and serves that. */

export interface RockImages {
  /** The rock's picture, or a drawn one in its place. null: no rock of that number is minted. */
  image(number: number): Promise<ReadyAnswer | null>;
}

export interface RockImagesDeps {
  /** As the book answers: null where no such rock is minted, undefined where nothing was ever read. */
  readonly find: (number: number) => Pick<RockAnswer, 'color' | 'imageUrl'> | null | undefined;
  readonly reader: Pick<PictureReader, 'read'>;
  readonly nowMs: () => number;
  readonly log: { info(details: object, message: string): void };
}

/** Some 8 kB each: the whole collection, and room for one that is larger. */
const keptMax = 1_000;
const visitorWaitsMs = 5_000;
const againSoonMs = 10 * 60_000;
const againLateMs = 24 * 3_600_000;

export function createRockImages({ find, reader, nowMs, log }: RockImagesDeps): RockImages {
  const kept = new Map<string, ReadyAnswer>();
  const failing = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  const keep = <T>(map: Map<string, T>, imageUrl: string, value: T): void => {
    const [oldest = ''] = map.keys();
    if (map.size >= keptMax) map.delete(oldest);
    map.set(imageUrl, value);
  };
  const read = async (imageUrl: string): Promise<void> => {
    const picture = await reader.read(imageUrl, 'small');
    if (picture.kind === 'read') keep(kept, imageUrl, makePackedAnswer(picture.bytes, pictureOptions));
    if (picture.kind !== 'failed') return;
    const { reason, host, isForGood } = picture;
    log.info({ reason, host }, 'The picture of a rock is unavailable; it is drawn instead');
    keep(failing, imageUrl, nowMs() + (isForGood ? againLateMs : againSoonMs));
  };
  const readOnce = (imageUrl: string): Promise<void> => {
    const running = underWay.get(imageUrl) ?? read(imageUrl).finally(() => underWay.delete(imageUrl));
    underWay.set(imageUrl, running);
    return running;
  };
  return {
    image: async (number) => {
      const rock = find(number);
      if (rock === null) return null;
      const imageUrl = rock?.imageUrl ?? null;
      if (imageUrl !== null && !kept.has(imageUrl) && (failing.get(imageUrl) ?? 0) <= nowMs()) {
        await inTime(readOnce(imageUrl), visitorWaitsMs, () => {});
      }
      return (imageUrl === null ? undefined : kept.get(imageUrl)) ?? drawnFor(rock?.color ?? null);
    },
  };
}

const pictureOptions = { contentType: 'image/webp', cacheControl: 'public, max-age=86400' };
/** Soon there may be a better one. */
const drawnOptions = { contentType: 'image/svg+xml; charset=utf-8', cacheControl: 'public, max-age=300' };

const outline =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 170 140" width="170" height="140">' +
  '<path d="M18 128 34 62 78 18 126 34 154 84 150 128Z" fill="none" stroke="#7b8a99" stroke-width="3" stroke-dasharray="6 6"/></svg>';

const drawn = new Map<string | null, ReadyAnswer>();

/** The drawing of its color; an outline where that is not known. */
function drawnFor(color: string | null): ReadyAnswer {
  const stone = rockColors.find(({ name }) => name === color)?.stone;
  const answer = drawn.get(color) ?? makeReadyAnswer(gallery[`rock-${stone}`]?.() ?? outline, drawnOptions);
  drawn.set(color, answer);
  return answer;
}
