import { BlockList, isIP } from 'node:net';

import type { FastifyRequest } from 'fastify';

import { loopbackHosts } from './origin-check.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** By any of these a proxy says that it speaks for somebody else. */
const forwarded = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|true-client-ip)$/;

/**
 * Whether a program of this very machine asks for itself: over loopback, by a name of loopback (no page whose own name leads here), and
 * not through a proxy.
 */
export function isFromThisMachine({ raw, host }: Pick<FastifyRequest, 'raw' | 'host'>): boolean {
  const address = raw.socket.remoteAddress ?? '';
  const family = isIP(address);
  if (family === 0 || !loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')) return false;
  if (Object.keys(raw.headers).some((name) => forwarded.test(name))) return false;
  return loopbackHosts.has(host.replace(/:\d+$/, '').toLowerCase());
}
