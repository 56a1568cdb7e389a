import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { startTestServer } from '../../tests/support/test-server.ts';

const countersFile = '/proc/net/netstat';
const visitorCount = 1_000;

/** How often Linux had no room for a connection that came: its client tries again after a second. */
const turnedAway = (): number => {
  const [names = [], values = []] = readFileSync(countersFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('ListenOverflows')]);
};

// Only Linux says whom it turned away.
it.skipIf(!existsSync(countersFile))(
  'A thousand visitors who come at the same moment are all let in at once',
  async () => {
    const { port, server } = await startTestServer();
    const before = turnedAway();

    const sockets = Array.from({ length: visitorCount }, () => connect(port, '127.0.0.1'));
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await server.stop();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));

    expect(turnedAway() - before).toBe(0);
  },
);
