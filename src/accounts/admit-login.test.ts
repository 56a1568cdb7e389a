import { expect, test } from 'vitest';

import { clientNetwork } from './admit-login.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0::/56'],
  ['2001:db8:1:2ff:1:2:3:4', '2001:db8:1:200::/56'],
  ['2001:0DB8:0001:02AB::1', '2001:db8:1:200::/56'],
  ['2001:db8::', '2001:db8:0:0::/56'],
  ['2001:db8:1:1ff::1', '2001:db8:1:100::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['::ffff:0:192.0.2.1', '0:0:0:0::/56'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
