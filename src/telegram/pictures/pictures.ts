import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { untilAborted } from '../../process/in-time.ts';
import type { Logger } from '../../process/logger.ts';
import type { Picture } from '../send/message.ts';
import { createTurns } from '../../process/taking-turns.ts';
import { BadPicture, downloadImage, type DownloadSettings } from './download-image.ts';
import { rememberFailure } from './picture-store.ts';
import { createImageShrinker } from './shrink-image.ts';

export interface ImageSettings extends DownloadSettings {
  /** How long a message waits for its picture before it goes without. */
  readonly waitMs: number;
}

/** Enough for the messages in preparation; anything evicted is prepared again. */
const keptMax = 16;
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
export function createPictures(db: Kysely<Database>, settings: ImageSettings, log: Logger) {
  /** Until Telegram has them; the oldest are evicted. */
  const kept = new Map<string, Promise<Picture>>();
  const hosts = createHostWatch();
  const download = createTurns(downloadsMax);
  const decode = createTurns(1);
  const shrinker = createImageShrinker();
  let stopping = new AbortController();

  /** null: unusable, which is remembered, or interrupted. */
  const prepare = async (imageUrl: string): Promise<Picture> => {
    const stopped = stopping.signal;
    const limit = AbortSignal.any([AbortSignal.timeout(settings.waitMs), stopped]);
    let hasBegun = false;
    const begin = (): Promise<Buffer> => {
      hasBegun = true;
      hosts.check(imageUrl);
      return downloadImage(imageUrl, settings, limit);
    };
    try {
      const made = download(begin).then((raw) => decode(() => shrinker.shrink(raw, limit)));
      // The decoder cannot be interrupted everywhere; the message does not wait for it.
      const bytes = await untilAborted(made, limit);
      hosts.answered(imageUrl);
      return { kind: 'bytes', bytes };
    } catch (error) {
      // Still queued, or interrupted by us: that says nothing about the host, so it is tried again.
      if (!hasBegun || stopped.aborted) return null;
      const isLate = limit.aborted;
      if (isLate) hosts.late(imageUrl);
      const isBad = error instanceof BadPicture && !isLate;
      const reason = isLate ? 'took too long' : isBad ? error.message : 'failed';
      log.info({ reason, host: hostOf(imageUrl) }, 'A picture is unavailable; its messages are sent without it');
      await rememberFailure(db, imageUrl, reason, isBad && error.isForGood ? againLateMs : againSoonMs);
      return null;
    }
  };
  return {
    /** What is to be uploaded, within a few seconds; null: none. Throws database errors. */
    fetch: async (imageUrl: string): Promise<Picture> => {
      const made = kept.get(imageUrl) ?? prepare(imageUrl);
      kept.set(imageUrl, made);
      const [oldest = imageUrl] = kept.keys();
      if (kept.size > keptMax) kept.delete(oldest);
      const picture = await made.catch((error: unknown) => {
        kept.delete(imageUrl);
        throw error;
      });
      if (picture === null) kept.delete(imageUrl);
      return picture;
    },
    /** Telegram has it now. */
    drop: (imageUrl: string): void => void kept.delete(imageUrl),
    /** Interrupts preparations and ends the decoding process. Pictures may be requested again afterwards. */
    stop: async (): Promise<void> => {
      stopping.abort();
      stopping = new AbortController();
      await shrinker.stop();
    },
  };
}
export type Pictures = ReturnType<typeof createPictures>;

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
