import type { IncomingHttpHeaders } from 'node:http';

/** This machine, as the host of an address names it. */
export const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

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
