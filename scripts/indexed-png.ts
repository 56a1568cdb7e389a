import { crc32, deflateSync } from 'node:zlib';

const colorsMax = 256;

/** Colours as 0xrrggbb, the most frequent first. */
const usedColors = (pixels: Uint32Array): number[] => {
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([color]) => color);
};

const distance = (a: number, b: number): number =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

/** The most frequent colours, without those nearly equal to one already taken. */
const paletteOf = (used: readonly number[]): number[] => {
  for (let apart = 12; ; apart += 24) {
    const palette: number[] = [];
    for (const color of used) {
      if (palette.every((taken) => distance(taken, color) >= apart)) palette.push(color);
      if (palette.length > colorsMax) break;
    }
    if (palette.length <= colorsMax) return palette;
  }
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const checksum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** A PNG of at most 256 colours: enough for flat artwork, at a third of the size. `pixels` are 0xrrggbb, row by row. */
export function indexedPng(pixels: Uint32Array, width: number, height: number): Buffer {
  const used = usedColors(pixels);
  const palette = paletteOf(used);
  const nearest = new Map(
    used.map((color) => [
      color,
      palette.reduce(
        (best, other, index) => (distance(other, color) < distance(palette[best] ?? 0, color) ? index : best),
        0,
      ),
    ]),
  );
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((color, at) => {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = nearest.get(color) ?? 0;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
