import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** This machine, as the host of an address names it. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rulings R2: state-changing calls refuse a foreign `Origin`. A caller without `Origin` is no browser page of another
 * site, unless `Sec-Fetch-Site` says so. On this machine localhost, 127.0.0.1 and [::1] are the same place.
 */
export function createOriginCheck(publicUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const own = new URL(publicUrl);
  const isOwn = (origin: string): boolean => {
    if (origin === own.origin) return true;
    if (!loopbackHosts.has(own.hostname) || !URL.canParse(origin)) return false;
    const other = new URL(origin);
    return other.protocol === own.protocol && loopbackHosts.has(other.hostname) && other.port === own.port;
  };
  return (headers) => {
    if (headers.origin !== undefined) return isOwn(headers.origin);
    const site = headers['sec-fetch-site'];
    return site === undefined || site === 'same-origin' || site === 'none';
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** By any of these a proxy says that it forwards a request. */
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
