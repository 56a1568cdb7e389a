import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const answers = {
  HPE_HEADER_OVERFLOW: [431, 'headers-too-large', 'The headers or the address are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request-timeout', 'The request took too long to arrive.'],
} as const;
const malformed = [400, 'malformed-request', 'The request is not valid HTTP.'] as const;

/** Node keeps the answer that is being written on this connection here (node:lib/_http_server.js, onParserExecuteCommon). */
type HttpSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** Answers what Node could not even read as HTTP, on the bare socket, and ends the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: HttpSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Rubbish behind a good request: that one's answer is on its way, and a second one would be taken for part of it.
  if (socket._httpMessage?.headersSent === true) {
    socket.destroySoon();
    return;
  }
  const [status, code, message] = answers[error.code as keyof typeof answers] ?? malformed;
  const body = JSON.stringify({ message, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
