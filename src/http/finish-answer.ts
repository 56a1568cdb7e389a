import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Encoding, createEncodingMemory } from './ready/accept-encoding.ts';
import { matchesTag } from './ready/send-ready.ts';
import { contentTag } from './ready/ready-answer.ts';
import { givePlaceBack } from './limits.ts';

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
