import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Ask } from '../service/answer.ts';

/** `own`: the wallet browser's origin, at which the person sees the product. */
export type Addresses = { own: string; product: URL };
export type ProductAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Headers not passed on: those of one connection, and those that do not fit a rewritten answer. */
const droppedHeaders = new Set([
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

/** Sends the request as a browser at the product's own address would. Rejects when the product does not answer. */
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
  const kept = Object.entries(ask.headers).filter(([name, value]) => value !== undefined && !droppedHeaders.has(name));
  const headers: OutgoingHttpHeaders = Object.fromEntries(kept);
  const { origin, referer } = ask.headers;
  return {
    ...headers,
    host: product.host,
    'accept-encoding': 'identity',
    ...(ask.body.length > 0 && { 'content-length': String(ask.body.length) }),
    // Another page's origin is kept, so that the product can refuse it.
    ...(origin === own && { origin: product.origin }),
    ...(typeof referer === 'string' && { referer: asOf(referer, own, product.origin) }),
  };
}

/** Moves an address from one origin to another; other addresses stay the same. */
export function asOf(address: string, from: string, to: string): string {
  return address === from || address.startsWith(`${from}/`) ? to + address.slice(from.length) : address;
}
