import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Ask } from '../service/answer.ts';

/** `own`: the origin at which the person sees the product. */
export type Addresses = { own: string; product: URL };
export type ProductAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Of one connection, or of an answer that is not handed on as it came. */
const leftOut = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'content-length',
  'if-none-match',
  'if-modified-since',
]);

/** The request as the product would get it from a browser at its own address. Throws when it does not answer. */
export function callProduct(ask: Ask, { own, product }: Addresses, gone: AbortSignal): Promise<ProductAnswer> {
  const query = ask.query.size === 0 ? '' : `?${ask.query.toString()}`;
  const send = product.protocol === 'https:' ? requestTls : requestPlain;
  const options = { method: ask.method, headers: headersFor(ask, { own, product }), signal: gone };
  return new Promise((resolve, reject) => {
    const call = send(new URL(ask.path + query, product.origin), options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.on('error', reject);
    call.end(ask.body);
  });
}

function headersFor(ask: Ask, { own, product }: Addresses): OutgoingHttpHeaders {
  const kept = Object.entries(ask.headers).filter(([name, value]) => value !== undefined && !leftOut.has(name));
  const headers: OutgoingHttpHeaders = Object.fromEntries(kept);
  const { origin, referer } = ask.headers;
  return {
    ...headers,
    host: product.host,
    'accept-encoding': 'identity',
    ...(ask.body.length > 0 && { 'content-length': String(ask.body.length) }),
    // Another page's origin stays what it is: the product shall refuse it.
    ...(origin === own && { origin: product.origin }),
    ...(typeof referer === 'string' && { referer: asOf(referer, own, product.origin) }),
  };
}

/** An address under one origin, under another one. */
export function asOf(address: string, from: string, to: string): string {
  return address === from || address.startsWith(`${from}/`) ? to + address.slice(from.length) : address;
}
