import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import { expect, test } from 'vitest';

import { portTaken, waitUntilReady } from '../../scripts/site-address.ts';
import { startChild } from '../support/child.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((ones) => ones?.some(({ address }) => address === '::1'));
const ipv6Hosts = hasIpv6 ? ['::1', '::'] : [];

test.each(['127.0.0.1', '0.0.0.0', 'localhost', ...ipv6Hosts])(
  'a product that listens at HOST=%s is found, and its port counts as taken',
  async (host) => {
    const product = createServer((request, response) =>
      response.writeHead(request.url === '/readyz' ? 200 : 404).end(),
    );
    await new Promise<void>((resolve) => product.listen(0, host, resolve));
    const { port } = product.address() as AddressInfo;
    const site = { host, port, publicUrl: '' };
    await waitUntilReady(site);
    expect(await portTaken(site)).toContain(`Port ${port} on ${host} is already in use`);
    product.close();
  },
);

test.runIf(hasIpv6)(
  'a program at ::1, where browsers look for localhost first, takes the port from one at 127.0.0.1',
  async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '::1', resolve));
    const { port } = other.address() as AddressInfo;
    const site = { host: '127.0.0.1', port };
    expect(await portTaken({ ...site, publicUrl: `http://localhost:${port}` })).toContain(`Port ${port} on ::1 is`);
    expect(await portTaken({ ...site, publicUrl: `http://127.0.0.1:${port}` })).toBeNull();
    other.close();
  },
);

test.each(['scripts/demo.ts', 'scripts/dev.ts'])(
  '%s names a wrong PORT and PUBLIC_URL before it starts anything',
  async (script) => {
    const demo = startChild(script, [], { PORT: '99999', PUBLIC_URL: 'foo' });
    expect(await demo.exited).toBe(1);
    expect(demo.output().trim().split('\n')).toEqual([
      'The configuration is not usable. 2 variables are wrong:',
      '  PORT must be a whole number from 1 to 65535.',
      '  PUBLIC_URL must be an origin such as https://example.com, without a path.',
    ]);
  },
);
