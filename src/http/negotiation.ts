import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { contentTag } from './ready/ready-answer.ts';
import { givePlaceBack } from './limits.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

const preference: readonly Encoding[] = ['br', 'gzip', 'identity'];
const rememberedLimit = 256;

/**
 * The encoding to answer in (RFC 9110, 12.5.3): the highest quality the client names, brotli before gzip before
 * identity when equal. Identity when nothing else fits, as an uncompressed answer beats a 406.
 */
export function negotiateEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',', 20)) {
    const [coding = '', ...parameters] = part.split(';');
    qualities.set(coding.trim(), qualityOf(parameters));
  }
  const star = qualities.get('*');
  let best: Encoding = 'identity';
  // Unnamed identity stays acceptable, after everything that is named.
  let bestQuality = Number.MIN_VALUE;
  for (const encoding of preference) {
    const quality = qualities.get(encoding) ?? (encoding === 'gzip' ? qualities.get('x-gzip') : undefined) ?? star ?? 0;
    if (quality > bestQuality) [best, bestQuality] = [encoding, quality];
  }
  return best;
}

/** Browsers send a handful of different headers, so each is read once. */
export function createEncodingMemory(): (header: string | undefined) => Encoding {
  const known = new Map<string, Encoding>();
  return (header) => {
    if (header === undefined) return 'identity';
    const remembered = known.get(header);
    if (remembered !== undefined) return remembered;
    const encoding = negotiateEncoding(header);
    if (known.size >= rememberedLimit) known.clear();
    known.set(header, encoding);
    return encoding;
  };
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim() !== 'q') continue;
    const quality = Number(value.trim());
    return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0;
  }
  return 1;
}

/** RFC 9110, 13.1.2: weak comparison, a list, or `*`. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header === '*') return true;
  return header.split(',', 50).some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const smallestWorthCompressingBytes = 1_024;

/** ETag with 304, and compression, for the framework's own answers (ready ones bring both). */
export function finishAnswers(app: FastifyInstance): void {
  const encodingFor = createEncodingMemory();
  const finish = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (typeof payload !== 'string') return payload;
    reply.header('Vary', 'Accept-Encoding');
    if (isCurrent(request, reply, payload)) {
      reply.code(304).removeHeader('content-type');
      return null;
    }
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (payload.length < smallestWorthCompressingBytes || encoding === 'identity') return payload;
    reply.header('Content-Encoding', encoding);
    return compress(payload, encoding);
  };
  app.addHook('onSend', (request, reply, payload) =>
    finish(request, reply, payload).finally(() => givePlaceBack(reply)),
  );
}

/** The tag is weak: the same content goes out in several encodings (RFC 9110, 8.8.1). */
function isCurrent(request: FastifyRequest, reply: FastifyReply, payload: string): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || reply.statusCode !== 200 || reply.getHeader('cache-control') !== 'no-cache') return false;
  const etag = contentTag(payload);
  reply.header('ETag', `W/${etag}`);
  return matchesTag(request.headers['if-none-match'], etag);
}

function compress(payload: string, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  return encoding === 'br'
    ? compressBrotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    : compressGzip(payload, { level: 5 });
}
