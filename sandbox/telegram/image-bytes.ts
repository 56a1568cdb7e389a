export type ImageFacts = { type: 'jpeg' | 'png' | 'webp' | 'gif'; width: number; height: number };

/** Type and size of an image; null unless the bytes are a complete JPEG, PNG, WEBP or GIF. */
export function imageFacts(bytes: Buffer): ImageFacts | null {
  return png(bytes) ?? jpeg(bytes) ?? gif(bytes) ?? webp(bytes);
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function png(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 57 || !bytes.subarray(0, 8).equals(pngStart)) return null;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || !bytes.includes('IEND', bytes.length - 64)) return null;
  return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

function gif(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.at(-1) !== 0x3b) return null;
  return sized('gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
}

function webp(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    return null;
  }
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return sized('webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'VP8 ':
      return sized('webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized('webp', (bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    default:
      return null;
  }
}

/** Frame headers are the markers C0 to CF, except the tables C4, C8 and CC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpeg(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  if (!bytes.includes(Buffer.from([0xff, 0xd9]), bytes.length - 64)) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrame(bytes[at + 1] ?? 0)) return sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
  }
  return null;
}

function sized(type: ImageFacts['type'], width: number, height: number): ImageFacts | null {
  return width > 0 && height > 0 ? { type, width, height } : null;
}
