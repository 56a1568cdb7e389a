import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Resolver } from 'node:dns/promises';

import ipaddr from 'ipaddr.js';

export interface DownloadSettings {
  /** `host:port` of hosts allowed over http and at a private address: our own marketplace's, in the demo. */
  readonly trustedHosts: readonly string[];
  /** What `ipfs://` and `walrus://` are read from; each ends with a slash. */
  readonly gateways: Readonly<Record<'ipfs' | 'walrus', string>>;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A marketplace on this machine also serves its pictures from its own port; other ports of this machine are not trusted. */
export function hostsOfMarketHere(apiUrl: string): readonly string[] {
  const url = new URL(apiUrl);
  return loopbackNames.includes(url.hostname) ? loopbackNames.map((name) => `${name}:${portOf(url)}`) : [];
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** Why a picture is unavailable. `isPermanent`: a retry soon would fail the same way. */
export class BadPicture extends Error {
  readonly isPermanent: boolean;

  constructor(reason: string, isPermanent: boolean) {
    super(reason);
    this.name = new.target.name;
    this.isPermanent = isPermanent;
  }
}

const maxBytes = 10 * 1024 * 1024;
const redirectsMax = 3;

/**
 * Downloads from an untrusted address: https to public addresses only, checked again at every redirect, at most 10 MB.
 * Throws BadPicture; an abort is rethrown as is.
 */
export async function downloadImage(address: string, settings: DownloadSettings, signal: AbortSignal): Promise<Buffer> {
  if (address.startsWith('data:')) return decodeDataUrl(address);
  let url = readAddress(address, settings);
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const response = await connect(url, settings, signal);
    const { statusCode = 0, headers } = response;
    const next = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
    if (next === undefined) return readBody(response, statusCode);
    response.destroy();
    url = readAddress(URL.canParse(next, url.href) ? new URL(next, url.href).href : '', settings);
  }
  throw new BadPicture('too many redirects', true);
}

function readAddress(address: string, { gateways }: DownloadSettings): URL {
  const [, network, path] = /^(ipfs|walrus):\/\/(?:ipfs\/)?([\w./%~-]+)$/.exec(address) ?? [];
  const href = network === 'ipfs' || network === 'walrus' ? `${gateways[network]}${path}` : address;
  if (!URL.canParse(href)) throw new BadPicture('not an address', true);
  const url = new URL(href);
  if (url.username !== '' || url.password !== '') throw new BadPicture('an address with a password', true);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new BadPicture('not on the web', true);
  return url;
}

async function connect(url: URL, { trustedHosts }: DownloadSettings, signal: AbortSignal): Promise<IncomingMessage> {
  const isTrusted = trustedHosts.includes(`${url.hostname}:${portOf(url)}`);
  const lookup = isTrusted ? undefined : await publicLookup(url, signal);
  signal.throwIfAborted();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    signal,
    headers: { accept: 'image/*', 'user-agent': 'sui-rocks' },
    ...(lookup && { lookup }),
  });
  request.end();
  try {
    // A protocol upgrade brings neither a response nor an error: the signal ends the wait.
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
    return response;
  } catch (error) {
    if (signal.aborted) throw error;
    throw new BadPicture('could not be reached', false);
  }
}

/** Leads to the host's public addresses, as checked. Throws BadPicture unless the connection will be encrypted and public. */
async function publicLookup(url: URL, signal: AbortSignal): Promise<LookupFunction> {
  if (url.protocol !== 'https:') throw new BadPicture('not encrypted', true);
  const addresses = await publicAddressesOf(url.hostname, signal);
  signal.throwIfAborted();
  if (addresses === null) throw new BadPicture('no public address', true);
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

async function readBody(response: IncomingMessage, status: number): Promise<Buffer> {
  try {
    if (status !== 200) throw new BadPicture(`status ${status}`, status >= 400 && status < 500 && status !== 429);
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new BadPicture('over 10 MB', true);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new BadPicture('over 10 MB', true);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  } catch (error) {
    if (error instanceof BadPicture || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw new BadPicture('the connection broke', false);
  } finally {
    response.destroy();
  }
}

function decodeDataUrl(address: string): Buffer {
  const parts = /^data:image\/[\w.+-]+((?:;[\w-]+=[\w-]+)*)(;base64)?,/i.exec(address);
  if (parts === null || address.length > maxBytes * 1.5) throw new BadPicture('not an image', true);
  const body = address.slice(parts[0].length);
  try {
    return parts[2] === undefined ? Buffer.from(decodeURIComponent(body)) : Buffer.from(body, 'base64');
  } catch {
    throw new BadPicture('not an image', true);
  }
}

/** All IPv6 addresses routed today. */
const routed6 = ipaddr.parseCIDR('2000::/3');
/**
 * Azure's host: metadata, DNS, health (learn.microsoft.com, 'What is IP address 168.63.129.16?'). It is public; the internal
 * addresses of other clouds are not.
 */
const azureHost = '168.63.129.16';

/** Not in IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890), and not an IPv6 address that embeds an IPv4 one. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address === azureHost) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(routed6));
}

interface CheckedAddress {
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
