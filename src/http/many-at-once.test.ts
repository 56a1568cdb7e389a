import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { startTestServer } from '../../tests/support/test-server.ts';

const countersFile = '/proc/net/netstat';
const visitorCount = 1_000;

/** Connections that Linux dropped because the queue was full: their clients try again after a second. */
const droppedCount = (): number => {
  const [names = [], values = []] = readFileSync(countersFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('ListenOverflows')]);
};

// Only Linux counts the connections it dropped.
it.skipIf(!existsSync(countersFile))(
  'a thousand visitors who connect at the same moment are all accepted at once',
  async () => {
    const { port, server } = await startTestServer();
    const before = droppedCount();

    const sockets = Array.from({ length: visitorCount }, () => connect(port, '127.0.0.1'));
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await server.stop();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));

    expect(droppedCount() - before).toBe(0);
  },
);
