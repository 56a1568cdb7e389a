import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { freePort } from './free-port.ts';

/** How a database fails, as seen on the wire. Existing connections are closed first, except with `silent` and `slow`. */
export type DatabaseFault =
  /** Connections stay open, but no data gets through. */
  | { readonly kind: 'silent' }
  /** Each connection is reset as soon as it is opened. */
  | { readonly kind: 'reset' }
  /** Every answer is delayed by this much. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Each answer arrives one byte at a time. */
  | { readonly kind: 'drip'; readonly delayMs: number }
  /** Every query gets these bytes, and then the connection ends. */
  | { readonly kind: 'says'; readonly bytes: Buffer };

/** A proxy to a test database that can cut, silence or disturb its connections, as networks and servers do. */
export interface DatabaseLine {
  readonly url: string;
  /** Breaks every connection and accepts no new ones. */
  cut(): void;
  /** Connections stay open, but no data gets through. */
  silence(): void;
  /** Fails in that way until mended. */
  spoil(fault: DatabaseFault): void;
  /** Works normally again. */
  mend(): Promise<void>;
  end(): Promise<void>;
}

/** A failure as a PostgreSQL server sends it: the message 'ErrorResponse' of its protocol, version 3. */
export function serverFailure(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A proxy to that database, whether its server listens on a Unix socket or on a port. */
export async function databaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl);
  const place = placeOf(target);
  const sockets = new Set<Socket>();
  let fault: DatabaseFault | null = null;
  const server = createServer((near) => {
    if (fault?.kind === 'reset') near.resetAndDestroy();
    else join(near, connect(place), sockets, () => fault);
  });
  // Reused by `mend`.
  const port = await freePort();
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen();
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = (): void => {
    server.close();
    hangUp();
  };
  target.searchParams.delete('host');
  target.host = `127.0.0.1:${port}`;
  return {
    url: target.href,
    cut,
    silence: () => void (fault = { kind: 'silent' }),
    spoil: (wanted) => {
      fault = wanted;
      if (wanted.kind === 'reset') for (const socket of sockets) reset(socket);
      else if (wanted.kind !== 'silent' && wanted.kind !== 'slow') hangUp();
    },
    mend: async () => {
      // Connections with broken messages cannot be used any more.
      if (fault !== null && fault.kind !== 'slow' && fault.kind !== 'silent') hangUp();
      fault = null;
      if (!server.listening) await listen();
    },
    end: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      cut();
      await closed;
    },
  };
}

/** Passes data on, as the current fault allows. */
function join(near: Socket, far: Socket, sockets: Set<Socket>, faultNow: () => DatabaseFault | null): void {
  keep(sockets, near, far);
  keep(sockets, far, near);
  near.on('data', (chunk) => {
    const fault = faultNow();
    if (fault?.kind === 'says') near.end(fault.bytes);
    else if (fault?.kind !== 'silent') far.write(chunk);
  });
  far.on('data', (chunk) => {
    const fault = faultNow();
    if (fault === null) near.write(chunk);
    else if (fault.kind === 'slow') setTimeout(() => near.write(chunk), fault.delayMs);
    else if (fault.kind === 'drip') drip(near, chunk, fault.delayMs);
  });
}

/** Only a TCP connection can be reset. */
function reset(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

function placeOf(target: URL) {
  const socketFolder = target.searchParams.get('host');
  return socketFolder === null
    ? { host: target.hostname, port: Number(target.port || 5432) }
    : { path: `${socketFolder}/.s.PGSQL.5432` };
}

function keep(sockets: Set<Socket>, from: Socket, to: Socket): void {
  sockets.add(from);
  from.on('error', () => {});
  from.on('close', () => {
    sockets.delete(from);
    to.destroy();
  });
}

function drip(to: Socket, chunk: Buffer, delayMs: number): void {
  let said = 0;
  const next = setInterval(() => {
    if (to.destroyed || said >= chunk.length) return clearInterval(next);
    to.write(chunk.subarray(said, said + 1));
    said += 1;
  }, delayMs);
}
