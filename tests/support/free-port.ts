import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports (Linux from 32768, others from 49152), so that no one takes the port between this check and its use. */
const lowest = 12_000;
const highest = 31_999;

/** A free loopback port, for a program that must know its port before it starts, or must return to the same one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
      server.listen(port, '127.0.0.1');
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
