import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

import type { GeneratedRequest } from './generated-requests.ts';

export interface WireAnswer {
  readonly status: number;
  /** The media type without parameters; empty if there is none. */
  readonly mediaType: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

type ToSend = Pick<GeneratedRequest, 'method' | 'target' | 'headers' | 'body'>;

export interface Sender {
  /** `cookie`: the Cookie header, empty for none. Rejects with the system's error when the connection breaks before an answer. */
  send(request: ToSend, cookie: string): Promise<WireAnswer>;
  end(): void;
}

/** Far longer than the server's own deadlines: an answer that has not come by then never will. */
const answerWithinMs = 60_000;

const readsOnly = /^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/;

/** The decompressed text of an answer. */
function read(response: IncomingMessage, method: string): Promise<string> {
  if (method === 'HEAD' || response.statusCode === 304) return text(response);
  switch (response.headers['content-encoding']) {
    case 'br':
      return text(response.pipe(createBrotliDecompress()));
    case 'gzip':
      return text(response.pipe(createGunzip()));
    default:
      return text(response);
  }
}

/** Sends to one address over keep-alive connections, with no headers of its own beyond those that HTTP needs. */
export function createSender(url: string): Sender {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method, target, headers, body }, cookie) =>
      new Promise((resolve, reject) => {
        const lines = [
          'Host',
          `${hostname}:${port}`,
          ...(cookie === '' ? [] : ['Cookie', cookie]),
          ...headers.flat(),
          // As browsers do, a changing call without a body says so.
          ...(body === null && readsOnly.test(method) ? [] : ['Content-Length', String(body?.length ?? 0)]),
        ];
        const asked = httpRequest({ host: '127.0.0.1', port, agent, method, path: target, headers: lines });
        asked.setTimeout(answerWithinMs, () => asked.destroy(new Error('no answer')));
        asked.on('error', reject);
        asked.on('response', (response) => {
          const { statusCode: status = 0, headers: received } = response;
          const [mediaType = ''] = (received['content-type'] ?? '').split(';');
          read(response, method).then(
            (words) => resolve({ status, mediaType, headers: received, text: words }),
            reject,
          );
        });
        asked.end(body ?? undefined);
      }),
    end: () => agent.destroy(),
  };
}
