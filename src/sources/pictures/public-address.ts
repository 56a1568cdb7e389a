import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/**
 * Networks without public web sites: IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890), multicast, and
 * what clouds serve only to their own machines. Most of those lie in 169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24 or
 * fc00::/7; Azure's does not.
 */
const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's host: metadata, DNS, health (learn.microsoft.com, 'What is IP address 168.63.129.16?').
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  closed.addSubnet(network, prefix, 'ipv4');
}
/** All IPv6 addresses routed today; those that embed IPv4 ones are in here too and are blocked separately. */
const routed6 = new BlockList();
routed6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  closed.addSubnet(network, prefix, 'ipv6');
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && routed6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The addresses of a host if all are public; null: it has none, one is private, or no answer came before the abort. The
 * caller connects to exactly these: a second lookup might answer differently.
 */
export async function publicAddressesOf(
  hostname: string,
  signal: AbortSignal,
  resolver = new Resolver(nameServers),
): Promise<readonly CheckedAddress[] | null> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(bare) === 0 ? await addressesOf(bare, signal, resolver) : [bare];
  if (found.length === 0 || !found.every(isPublicAddress)) return null;
  return found.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

const nameServers = { timeout: 1_000, tries: 2 };

/**
 * Queries the name servers directly. The system resolver uses a pool of two threads (libuv): a foreign name server that
 * does not answer would block all other lookups of the product.
 */
async function addressesOf(hostname: string, signal: AbortSignal, resolver: Resolver): Promise<readonly string[]> {
  if (signal.aborted) return [];
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const none = (): string[] => [];
    const both = [resolver.resolve4(hostname).catch(none), resolver.resolve6(hostname).catch(none)];
    return (await Promise.all(both)).flat();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
