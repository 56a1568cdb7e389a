import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { expect, test, vi } from 'vitest';

import { createPool } from './connect.ts';
import { silentLog, databaseOutage } from './outage.ts';

test("an answer that is not PostgreSQL's is an outage and ends only the connection", async () => {
  // An authentication request of a kind that does not exist (PostgreSQL's protocol, version 3).
  const nonsense = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99]);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(nonsense));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uncaught = vi.fn();
  process.on('uncaughtException', uncaught);
  const pool = createPool(`postgres://rock@127.0.0.1:${(server.address() as AddressInfo).port}/rocks`, silentLog);
  const failure: unknown = await pool.query('select 1').catch((error: unknown) => error);
  expect(databaseOutage(failure)).not.toBeNull();
  expect(uncaught).not.toHaveBeenCalled();
  process.off('uncaughtException', uncaught);
  await pool.end();
  server.close();
});
