import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { FaultKind } from '../../faults/fault-board.ts';
import { hugeBytes } from '../../faults/faulty-answer.ts';
import type { BreakUpgrade } from '../../service/start-service.ts';

/** The gateway's name on the fault board; REST is 'discord'. */
export const gatewayFaults = 'discordGateway';

type Broken = Parameters<BreakUpgrade>[1] & { delayMs: number; retryAfterSeconds: number | undefined; go: () => void };

const sockets = new WebSocketServer({ noServer: true });

/** Accepts the WebSocket, then sends something a gateway never sends. */
const speak =
  (say: (webSocket: WebSocket) => void) =>
  ({ request, socket, head }: Broken): void =>
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate());
      say(webSocket);
    });

const refuse =
  (status: string) =>
  ({ socket, retryAfterSeconds }: Broken): void => {
    const retryAfter = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
    socket.end(`HTTP/1.1 ${status}\r\n${retryAfter}Connection: close\r\n\r\n`);
  };

const hangUp = ({ socket }: Broken): void => {
  socket.destroy();
};
const reset = ({ socket }: Broken): void => {
  if (socket instanceof Socket) socket.resetAndDestroy();
  else socket.destroy();
};
const keepSilent = (): void => {};
const hello = '{"op":10,"d":{"heartbeat_interval":41250},"s":null,"t":null}';

const ways: Record<FaultKind, (broken: Broken) => void> = {
  '429': refuse('429 Too Many Requests'),
  '500': refuse('500 Internal Server Error'),
  '503': refuse('503 Service Unavailable'),
  hang: keepSilent,
  slow: ({ go, delayMs }) => void setTimeout(go, delayMs),
  drip: ({ socket, delayMs }) => dripHead(socket, delayMs),
  truncated: ({ socket }) => socket.end('HTTP/1.1 101 Switching Proto'),
  malformed: speak((webSocket) => webSocket.send('{"op":10,"d":{"heart')),
  'wrong-types': speak((webSocket) => webSocket.send('{"op":10,"d":null,"s":"one","t":7}')),
  empty: speak((webSocket) => webSocket.send('')),
  huge: speak((webSocket) => webSocket.send(' '.repeat(hugeBytes) + hello)),
  reset,
  'accepted-reset': reset,
  'accepted-503': refuse('503 Service Unavailable'),
  // The gateway sends its payloads unasked, so there is no answer to falsify.
  lie: ({ go }) => go(),
  'accepted-hang': keepSilent,
  'accepted-slow': ({ go, delayMs }) => void setTimeout(go, delayMs),
  // The gateway shares its port with REST, so the port keeps listening.
  refused: hangUp,
};

/** Applies a fault to a bot that connects to the gateway. */
export const breakGateway: BreakUpgrade = (fault, asked, go) =>
  ways[fault.kind]({ ...asked, go, delayMs: fault.delayMs ?? 1000, retryAfterSeconds: fault.retryAfterSeconds });

/** Sends the head of the answer one character at a time, so that it would take minutes. */
function dripHead(socket: Duplex, delayMs: number): void {
  const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
  let said = 0;
  const next = setInterval(() => {
    if (socket.destroyed || said >= head.length) clearInterval(next);
    else socket.write(head.charAt(said));
    said += 1;
  }, delayMs);
  socket.on('close', () => clearInterval(next));
}
