import { untilAborted } from '../../process/in-time.ts';
import { createLimiter } from '../../process/concurrency.ts';
import { BadPicture, downloadImage, type DownloadSettings } from './download-image.ts';
import type { ImageShrinker, PictureShape } from './shrink-image.ts';

/** For pictures whose address is not on the web. */
export const gateways = {
  ipfs: 'https://ipfs.io/ipfs/',
  walrus: 'https://aggregator.walrus-mainnet.walrus.space/v1/blobs/',
} as const;

const downloadsMax = 4;
/** A host that is late this often is skipped for a while, so that it does not delay every picture. */
const lateMax = 3;
const skippedMs = 60_000;

export interface PictureSettings extends DownloadSettings {
  /** How long one picture may take. */
  readonly waitMs: number;
}

export type ReadPicture =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  /** `isPermanent`: a retry soon would fail the same way. */
  | { readonly kind: 'failed'; readonly reason: string; readonly host: string; readonly isPermanent: boolean }
  /** Still queued, or interrupted by us: the picture itself may be fine. */
  | { readonly kind: 'interrupted' };

export type PictureReader = ReturnType<typeof createPictureReader>;

/** Downloads pictures, at most four at a time, and re-encodes them. */
export function createPictureReader(settings: PictureSettings, shrinker: Pick<ImageShrinker, 'shrink'>) {
  const hosts = createHostWatch();
  const download = createLimiter(downloadsMax);
  let stopping = new AbortController();
  return {
    /** `imageUrl` is untrusted. */
    read: async (imageUrl: string, shape: PictureShape): Promise<ReadPicture> => {
      const stopped = stopping.signal;
      const limit = AbortSignal.any([AbortSignal.timeout(settings.waitMs), stopped]);
      let hasBegun = false;
      const begin = (): Promise<Buffer> => {
        hasBegun = true;
        hosts.check(imageUrl);
        return downloadImage(imageUrl, settings, limit);
      };
      try {
        const made = download(begin).then((raw) => shrinker.shrink(raw, limit, shape));
        // The decoder cannot always be interrupted, so the caller does not wait for it beyond the limit.
        const bytes = await untilAborted(made, limit);
        hosts.answered(imageUrl);
        return { kind: 'read', bytes };
      } catch (error) {
        if (!hasBegun || stopped.aborted) return { kind: 'interrupted' };
        const host = hostOf(imageUrl);
        if (limit.aborted) {
          hosts.late(imageUrl);
          return { kind: 'failed', reason: 'took too long', host, isPermanent: false };
        }
        const bad = error instanceof BadPicture ? error : null;
        return { kind: 'failed', reason: bad?.message ?? 'failed', host, isPermanent: bad?.isPermanent ?? false };
      }
    },
    /** Interrupts all current readings. Pictures may be read again afterwards. */
    stop: (): void => {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}

function createHostWatch() {
  const late = new Map<string, { count: number; untilMs: number }>();
  return {
    check: (imageUrl: string): void => {
      const seen = late.get(hostOf(imageUrl));
      if (seen !== undefined && seen.count >= lateMax && performance.now() < seen.untilMs) {
        throw new BadPicture('its host does not answer', false);
      }
    },
    answered: (imageUrl: string): void => void late.delete(hostOf(imageUrl)),
    late: (imageUrl: string): void => {
      // Made-up hosts must not fill the memory.
      if (late.size > 1_000) late.clear();
      const host = hostOf(imageUrl);
      late.set(host, { count: (late.get(host)?.count ?? 0) + 1, untilMs: performance.now() + skippedMs });
    },
  };
}

const hostOf = (imageUrl: string): string => (URL.canParse(imageUrl) ? new URL(imageUrl).host : '');
