import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

import { Unavailable } from '../../shared/failure.ts';
import { makePackedAnswer, makeReadyAnswer, type ReadyAnswer } from './ready-answer.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
};

/** Formats that are already compressed. */
const packed = new Set(['.png', '.jpg', '.webp', '.avif', '.woff2']);
// Other sites show preview images, which the common headers forbid.
const shownElsewhere = new Set(['.png', '.jpg', '.svg', '.ico', '.webp']);
const foldersAndSeparators = new RegExp(`\\${sep}`, 'g');

/**
 * Every file of the browser's build, kept in memory in each encoding. A request can only name what is in this map, so
 * no path can lead out of the folder. `x.js.br` and `x.js.gz` from the build are used where they exist.
 * Throws Unavailable (one sentence) when there is no build.
 */
export async function loadStaticFiles(folder: string): Promise<ReadonlyMap<string, ReadyAnswer>> {
  const names = await listFiles(folder);
  const known = new Set(names);
  const served = names.filter((name) => contentTypes[extname(name)] !== undefined && !/(?:^|\/)\./.test(name));
  const bodies = await Promise.all(
    served.map(async (name) => [`/${name}`, await loadFile(folder, name, known)] as const),
  );
  return new Map(bodies);
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(foldersAndSeparators, '/'),
      );
  } catch (error) {
    throw new Unavailable('no-build', 'The site is not built yet: run npm run build, then start again.', error);
  }
}

async function loadFile(folder: string, name: string, known: ReadonlySet<string>): Promise<ReadyAnswer> {
  const extension = extname(name);
  const isAsset = name.startsWith('assets/');
  const options = {
    contentType: contentTypes[extension] ?? 'application/octet-stream',
    // Asset names contain a hash of the content; other names stay the same.
    cacheControl: isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    ...(!isAsset && shownElsewhere.has(extension)
      ? { extraHeaders: { 'Cross-Origin-Resource-Policy': 'cross-origin' } }
      : {}),
  };
  const identity = await readFile(join(folder, name));
  const plain = makePackedAnswer(identity, options);
  if (packed.has(extension)) return plain;
  if (!known.has(`${name}.br`) || !known.has(`${name}.gz`)) return makeReadyAnswer(identity, options);
  const [brotli, gzip] = await Promise.all(['br', 'gz'].map((ending) => readFile(join(folder, `${name}.${ending}`))));
  return { ...plain, brotli: brotli ?? identity, gzip: gzip ?? identity };
}
