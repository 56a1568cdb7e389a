import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import type { HotBody } from './hot-bodies.ts';

export interface HotBodyOptions {
  readonly contentType: string;
  readonly cacheControl: string;
  /** `once`: smallest, for what is built at start. `often`: quick, for what changes while people wait. */
  readonly effort: 'once' | 'often';
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

const efforts = { once: { brotli: 11, gzip: 9 }, often: { brotli: 5, gzip: 6 } } as const;
const smallestWorthCompressingBytes = 256;

/** A strong ETag, quotes included: equal bytes, equal tag, on every copy of the server. */
export const contentTag = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** The body in every encoding. Where compressing gains nothing, all encodings are the same buffer. */
export function makeHotBody(content: string | Buffer, options: HotBodyOptions): HotBody {
  const { effort, ...shown } = options;
  const identity = typeof content === 'string' ? Buffer.from(content) : content;
  const body = { ...shown, etag: contentTag(identity), identity };
  if (identity.length < smallestWorthCompressingBytes) return { ...body, gzip: identity, brotli: identity };
  const { brotli, gzip } = efforts[effort];
  return {
    ...body,
    gzip: gzipSync(identity, { level: gzip }),
    brotli: brotliCompressSync(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brotli, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
    }),
  };
}

/** A JSON answer that is asked for again and again: always revalidated, mostly by a 304. */
export const makeHotJson = (value: unknown): HotBody =>
  makeHotBody(JSON.stringify(value), {
    contentType: 'application/json; charset=utf-8',
    cacheControl: 'no-cache',
    effort: 'often',
  });
