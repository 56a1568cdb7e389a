import type { Writable } from 'node:stream';

/** Protocol with the decoding process: a four-byte length, then that many bytes. A picture follows its shape; one answer per picture. */
const headBytes = 4;

/** First byte of a request: the wanted result. `photo`: for Telegram; `small`: for a page; `card`: in its own size. */
export const pictureShapes = { photo: 0, small: 1, card: 2 } as const;
export type PictureShape = keyof typeof pictureShapes;

/** First byte of an answer; a picture follows `shrunk` only. `tooLarge`: out of memory, which ends the process. */
export const shrinkResults = { shrunk: 0, thinLine: 1, undecodable: 2, tooLarge: 3 } as const;

/** Longer than any download. */
export const pictureMaxBytes = 16 * 1024 * 1024;
/** Longer than any JPEG of 1280 pixels a side. */
export const answerMaxBytes = 8 * 1024 * 1024;

export function writeFrame(stream: Writable, parts: readonly Uint8Array[]): void {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  for (const part of [head, ...parts]) stream.write(part);
}

/** Returns a function to call with each chunk. It passes complete frames to `take`; null: a frame too long, or more than one at once. */
export function createFrameReader(maxBytes: number, take: (frame: Buffer | null) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length < headBytes) return;
    // The header itself may arrive in pieces.
    if ((chunks[0]?.byteLength ?? 0) < headBytes) chunks = [Buffer.concat(chunks)];
    const wanted = headBytes + (chunks[0]?.readUInt32BE() ?? 0);
    if (length < wanted && wanted <= headBytes + maxBytes) return;
    const frame = length === wanted ? Buffer.concat(chunks).subarray(headBytes) : null;
    chunks = [];
    length = 0;
    take(frame);
  };
}
