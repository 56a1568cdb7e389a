import { createHash } from 'node:crypto';
import { imageFacts } from './image-bytes.ts';
import type { ImageFacts } from './image-bytes.ts';
import type { PhotoSize } from './wire.ts';
import { badRequest } from './wire.ts';

type StoredFile = ImageFacts & { bytes: Buffer | null; size: PhotoSize[]; byteLength: number };

export type FileStore = {
  /** Stores a photo; the same bytes are one file. Throws a Refusal if the bytes are not a photo. */
  keepPhoto: (bytes: Buffer) => PhotoSize[];
  /** Finds a photo by the file id of any of its sizes. */
  find: (fileId: string) => { fileUniqueId: string; photo: PhotoSize[] } | null;
  /** Bytes by unique id; null when unknown or no longer kept. */
  read: (fileUniqueId: string) => { bytes: Buffer; type: string } | null;
};

const largestPhotoBytes = 10_000_000;
const mostKeptBytes = 64_000_000;
const largestSidesTogether = 10_000;
const steepestRatio = 20;
/** Telegram makes smaller copies; a photo's ids differ by size. */
const sides = [90, 320, 800, 1280];

/** Uploaded photos. Old bytes are dropped when there are too many; their ids stay valid. */
export function createFileStore(): FileStore {
  const files = new Map<string, StoredFile>();
  let keptBytes = 0;
  const makeRoom = (): void => {
    for (const file of files.values()) {
      if (keptBytes <= mostKeptBytes) return;
      if (file.bytes === null) continue;
      keptBytes -= file.bytes.length;
      file.bytes = null;
    }
  };
  return {
    keepPhoto: (bytes) => {
      const facts = factsOf(bytes);
      const fileUniqueId = createHash('sha256').update(bytes).digest('base64url').slice(0, 14);
      const known = files.get(fileUniqueId);
      if (known) return known.size;
      const size = sizesOf(fileUniqueId, facts, bytes.length);
      files.set(fileUniqueId, { ...facts, bytes, size, byteLength: bytes.length });
      keptBytes += bytes.length;
      makeRoom();
      return size;
    },
    find: (fileId) => {
      const fileUniqueId = /^AgACAgQAAx[a-d]([A-Za-z0-9_-]{14})AQADAgADeAADNgQ$/.exec(fileId)?.[1];
      const file = fileUniqueId === undefined ? undefined : files.get(fileUniqueId);
      return fileUniqueId === undefined || !file ? null : { fileUniqueId, photo: file.size };
    },
    read: (fileUniqueId) => {
      const file = files.get(fileUniqueId);
      return file?.bytes ? { bytes: file.bytes, type: `image/${file.type}` } : null;
    },
  };
}

function factsOf(bytes: Buffer): ImageFacts {
  if (bytes.length === 0) throw badRequest('file must be non-empty');
  if (bytes.length > largestPhotoBytes) throw badRequest('PHOTO_SAVE_FILE_INVALID');
  const facts = imageFacts(bytes);
  if (!facts) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = facts;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (width + height > largestSidesTogether || ratio > steepestRatio) throw badRequest('PHOTO_INVALID_DIMENSIONS');
  return facts;
}

function sizesOf(fileUniqueId: string, { width, height }: ImageFacts, byteLength: number): PhotoSize[] {
  const longest = Math.max(width, height);
  const wanted = sides.filter((side, index) => index === 0 || side < longest * 1.5);
  return wanted.map((side, index) => {
    const factor = Math.min(1, side / longest);
    const letter = 'abcd'[index] ?? 'd';
    return {
      file_id: `AgACAgQAAx${letter}${fileUniqueId}AQADAgADeAADNgQ`,
      file_unique_id: `AQAD${letter}${fileUniqueId}`,
      width: Math.max(1, Math.round(width * factor)),
      height: Math.max(1, Math.round(height * factor)),
      file_size: Math.max(1, Math.round(byteLength * factor * factor)),
    };
  });
}
