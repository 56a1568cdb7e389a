import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a test database that can be cut or fall silent, as networks do. */
export interface DatabaseLine {
  readonly url: string;
  /** Every connection breaks and none can be made. */
  cut(): void;
  /** Connections stay, and nothing comes through any more. */
  silence(): void;
  /** As before. */
  mend(): Promise<void>;
  end(): Promise<void>;
}

/** A line to that database, whether its server listens on a Unix socket or on a port. */
export async function databaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get('host');
  const place =
    socketFolder === null
      ? { host: target.hostname, port: Number(target.port || 5432) }
      : { path: `${socketFolder}/.s.PGSQL.5432` };
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((near) => {
    const far = connect(place);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!silent) to.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const port = await listen(0);
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  target.searchParams.delete('host');
  target.host = `127.0.0.1:${port}`;
  return {
    url: target.href,
    cut,
    silence: () => (silent = true),
    mend: async () => {
      silent = false;
      if (!server.listening) await listen(port);
    },
    end: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      cut();
      await closed;
    },
  };
}
