import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import { expect, test } from 'vitest';

import { isPortTaken, waitUntilReady } from '../../scripts/site-address.ts';
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
    expect(await isPortTaken(site)).toBe(true);
    product.close();
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
