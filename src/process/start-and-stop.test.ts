import { once } from 'node:events';
import { createServer } from 'node:net';

import { expect, it } from 'vitest';

import { Unavailable } from '../shared/failure.ts';
import { createStopStack, startFailureSentence } from './start-and-stop.ts';

const listenError = async (port: number, host: string): Promise<unknown> => {
  const server = createServer().listen(port, host);
  const [error] = (await once(server, 'error')) as [unknown];
  return error;
};

it('a start failure says what to do about a taken port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  expect(startFailureSentence(await listenError(port, '127.0.0.1'), { port, host: '127.0.0.1' })).toBe(
    `Port ${port} on 127.0.0.1 is already in use by another program: stop that one, or choose another port with PORT.`,
  );
  taken.close();
});

it('a start failure says what to do about an address that this machine does not have', async () => {
  const place = { port: 3000, host: '192.0.2.1' };
  expect(startFailureSentence(await listenError(place.port, place.host), place)).toContain(
    'set HOST to one of its own',
  );
});

it("a start failure passes on a part's own sentence, and one line of any other error", () => {
  const place = { port: 1, host: 'x' };
  expect(startFailureSentence(new Unavailable('x', 'Do this.'), place)).toBe('Do this.');
  expect(startFailureSentence(new Error('first\nsecond'), place)).toBe('The start failed: first.');
  expect(startFailureSentence('odd', place)).toBe('The start failed: odd.');
  const noRight = Object.assign(new Error('permission denied for database x'), { code: '42501' });
  expect(startFailureSentence(noRight, place)).toMatch(
    /^The database user may not do this \(permission denied .* create a schema\.$/,
  );
  const standby = Object.assign(new Error('cannot execute SELECT in a read-only transaction'), { code: '25006' });
  expect(startFailureSentence(standby, place)).toBe(
    'The database does not accept changes, as a standby does not: DATABASE_URL must name the server that does.',
  );
});

it('a stop ends each part once, in reverse order, even when one fails', async () => {
  const events: string[] = [];
  const stack = createStopStack({
    error: (details) => events.push(`failed ${'part' in details ? String(details.part) : ''}`),
  });
  stack.add('database', () => void events.push('database'));
  stack.add('treasury', () => Promise.reject(new Error('no')));
  stack.add('server', async () => void events.push('server'));
  await Promise.all([stack.stopAll(), stack.stopAll()]);
  expect(events).toEqual(['server', 'failed treasury', 'database']);
});
