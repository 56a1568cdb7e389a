import type { Logger } from '../../process/logger.ts';
import type { Pictures } from '../send/message.ts';
import type { PictureStore } from './picture-store.ts';
import { BadPicture, downloadImage, type DownloadSettings } from './download-image.ts';
import { createTurns } from '../send/turns.ts';
import { createImageShrinker } from './shrink-image.ts';
import { untilAborted } from '../../process/in-time.ts';

export interface ImageSettings extends DownloadSettings {
  /** How long a message waits for its picture before it goes without. */
  readonly waitMs: number;
}

interface StoppablePictures extends Pictures {
  /** Interrupts preparations and ends the decoding process. Pictures may be requested again afterwards. */
  stop(): Promise<void>;
}

/** Enough for the messages in preparation; anything evicted is prepared again. */
const keptMaxBytes = 16 * 1024 * 1024;
const downloadsMax = 4;
const againSoonMs = 10 * 60_000;
const againLateMs = 24 * 3_600_000;
/** A slow host is skipped for a while, so that it does not delay every message. */
const lateMax = 3;
const leftAloneMs = 60_000;

/**
 * Prepares pictures from the web for Telegram: at most four downloads and one decoding at a time, each picture once
 * however many chats wait for it. Failures are remembered, and messages go without the picture.
 */
export function createPictures(
  store: Pick<PictureStore, 'rememberFailure'>,
  settings: ImageSettings,
  log: Logger,
): StoppablePictures {
  const kept = createKept();
  const preparing = new Map<string, Promise<void>>();
  const hosts = createHostWatch();
  const download = createTurns(downloadsMax);
  const decode = createTurns(1);
  const shrinker = createImageShrinker();
  let stopping = new AbortController();

  const prepare = async (imageUrl: string): Promise<void> => {
    const stopped = stopping.signal;
    const limit = AbortSignal.any([AbortSignal.timeout(settings.waitMs), stopped]);
    let hasBegun = false;
    const begin = (): Promise<Buffer> => {
      hasBegun = true;
      hosts.check(imageUrl);
      return downloadImage(imageUrl, settings, limit);
    };
    try {
      const bytes = await unlessLate(
        limit,
        download(begin).then((raw) => decode(() => shrinker.shrink(raw, limit))),
      );
      hosts.answered(imageUrl);
      kept.put(imageUrl, bytes);
    } catch (error) {
      // Still queued, or interrupted by us: that says nothing about the host, so it is tried again.
      if (!hasBegun || stopped.aborted) return;
      const isLate = limit.aborted;
      if (isLate) hosts.late(imageUrl);
      const reason = error instanceof BadPicture ? error.message : isLate ? 'took too long' : 'failed';
      const isForGood = error instanceof BadPicture && error.isForGood && !isLate;
      log.info({ reason, host: hostOf(imageUrl) }, 'A picture is unavailable; its messages are sent without it');
      await store.rememberFailure(imageUrl, reason, isForGood ? againLateMs : againSoonMs);
    }
  };
  return {
    get: kept.get,
    prepare: (imageUrl) => {
      const known = preparing.get(imageUrl);
      if (known !== undefined) return known;
      const work = prepare(imageUrl).finally(() => preparing.delete(imageUrl));
      preparing.set(imageUrl, work);
      return work;
    },
    drop: kept.drop,
    stop: async () => {
      stopping.abort();
      stopping = new AbortController();
      await shrinker.stop();
    },
  };
}

/** Bytes that wait for their upload; the oldest are evicted. */
function createKept() {
  const kept = new Map<string, Buffer>();
  return {
    get: (imageUrl: string): Buffer | null => kept.get(imageUrl) ?? null,
    drop: (imageUrl: string): void => void kept.delete(imageUrl),
    put: (imageUrl: string, bytes: Buffer): void => {
      kept.set(imageUrl, bytes);
      let total = [...kept.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      for (const [oldest, { byteLength }] of kept) {
        if (total <= keptMaxBytes || oldest === imageUrl) break;
        kept.delete(oldest);
        total -= byteLength;
      }
    },
  };
}

/** The decoder cannot be interrupted everywhere; the message does not wait for it. */
async function unlessLate<T>(limit: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await untilAborted(work, limit);
  } catch (error) {
    if (error === limit.reason) throw new BadPicture('took too long', false);
    throw error;
  }
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
      // Invented addresses must not fill the memory.
      if (late.size > 1_000) late.clear();
      const host = hostOf(imageUrl);
      late.set(host, { count: (late.get(host)?.count ?? 0) + 1, untilMs: performance.now() + leftAloneMs });
    },
  };
}

const hostOf = (imageUrl: string): string => (URL.canParse(imageUrl) ? new URL(imageUrl).host : '');
