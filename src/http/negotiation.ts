import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { contentTag } from './ready/ready-answer.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Named, and not refused with `q=0`. */
const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** The encoding to answer in (RFC 9110, 12.5.3): brotli wherever the client accepts it, whatever weights it gives. */
export function negotiateEncoding(header = ''): Encoding {
  if (takesBrotli.test(header)) return 'br';
  return takesGzip.test(header) ? 'gzip' : 'identity';
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

/** ETag with 304, and compression, for the framework's own answers (ready answers have both already). */
export function finishAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string') return payload;
    reply.header('Vary', 'Accept-Encoding');
    if (isCurrent(request, reply, payload)) {
      reply.code(304).removeHeader('content-type');
      return null;
    }
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    if (payload.length < smallestWorthCompressingBytes || encoding === 'identity') return payload;
    reply.header('Content-Encoding', encoding);
    return compress(payload, encoding);
  });
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
