import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

import { Unavailable } from '../../shared/failure.ts';

/**
 * A body that is served as it is, without touching the framework: public pages and the treasury answer.
 * Held in memory in each encoding, so a request costs a map look-up and a write.
 */
export interface ReadyAnswer {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Strong ETag, quotes included. */
  readonly etag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** Headers beyond the common security headers, e.g. `Link`. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** The name its answers are counted under, where the address itself holds a secret. */
  readonly countedAs?: string;
  /** 400: the page says that its query is not valid. Otherwise 200. */
  readonly status?: 400;
}

/** Finds the ready answer of a GET path; `query` is the part after the question mark, for the few answers that depend on it. */
export type FindReady = (path: string, query?: string) => ReadyAnswer | undefined;

export interface ReadyAnswerOptions {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly extraHeaders?: Readonly<Record<string, string>>;
  readonly countedAs?: string;
  readonly status?: 400;
}

/** Measured on the pages: 11 is 9 % smaller than 6 but takes 36 times as long, at each start or while people wait. */
const brotliQuality = 6;
const gzipLevel = 6;
const smallestWorthCompressingBytes = 256;

/** A strong ETag, quotes included: equal bytes, equal tag, on every copy of the server. */
export const contentTag = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** For formats that are already compressed. */
export const makePackedAnswer = (content: string | Buffer, options: ReadyAnswerOptions): ReadyAnswer => {
  const identity = typeof content === 'string' ? Buffer.from(content) : content;
  return { ...options, etag: contentTag(identity), identity, gzip: identity, brotli: identity };
};

const gzipOptions = { level: gzipLevel };
const brotliOptions = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/** The body in every encoding. Where compressing gains nothing, all encodings are the same buffer. */
export function makeReadyAnswer(content: string | Buffer, options: ReadyAnswerOptions): ReadyAnswer {
  const body = makePackedAnswer(content, options);
  const { identity } = body;
  if (identity.length < smallestWorthCompressingBytes) return body;
  return {
    ...body,
    gzip: gzipSync(identity, gzipOptions),
    brotli: brotliCompressSync(identity, brotliOptions(identity)),
  };
}

const gzipAside = promisify(gzip);
const brotliAside = promisify(brotliCompress);

/** The same, compressed off the event loop: for bodies of many kB that are made while visitors are served. */
export async function makeReadyAnswerAsync(
  content: string | Buffer,
  options: ReadyAnswerOptions,
): Promise<ReadyAnswer> {
  const body = makePackedAnswer(content, options);
  const { identity } = body;
  if (identity.length < smallestWorthCompressingBytes) return body;
  const [gzipped, brotli] = await Promise.all([
    gzipAside(identity, gzipOptions),
    brotliAside(identity, brotliOptions(identity)),
  ]);
  return { ...body, gzip: gzipped, brotli };
}

const jsonOptions: ReadyAnswerOptions = { contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' };

/** A JSON answer that is asked for again and again: always revalidated, mostly by a 304. */
export const makeReadyJson = (value: unknown): ReadyAnswer => makeReadyAnswer(JSON.stringify(value), jsonOptions);

export const makeReadyJsonAsync = (value: unknown): Promise<ReadyAnswer> =>
  makeReadyAnswerAsync(JSON.stringify(value), jsonOptions);

export type LazyAnswer = ReturnType<typeof createLazyAnswer>;

/**
 * A ready answer made on the first request after a change. `make` never runs twice at once: requests meanwhile share its result, even
 * one from before a change.
 */
export function createLazyAnswer(make: () => Promise<ReadyAnswer>) {
  let made: ReadyAnswer | undefined;
  let making: Promise<ReadyAnswer> | undefined;
  let changes = 0;

  const makeOnce = async (): Promise<ReadyAnswer> => {
    const changesBefore = changes;
    try {
      const body = await make();
      if (changes === changesBefore) made = body;
      return body;
    } finally {
      making = undefined;
    }
  };

  return {
    /** undefined: it is not made yet. */
    ready: () => made,
    /** Rejects as `make` did; the next request tries again. */
    whenReady: () => {
      if (made !== undefined) return Promise.resolve(made);
      making ??= makeOnce();
      return making;
    },
    /** Call when the content has changed. */
    forget: () => {
      changes += 1;
      made = undefined;
    },
  };
}

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
