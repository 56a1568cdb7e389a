import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { readSitePlace } from '../src/config.ts';

export interface SiteAddress {
  readonly host: string;
  readonly port: number;
  /** The address people type. */
  readonly publicUrl: string;
}

const pollMs = 100;
const readyWithinMs = 60_000;

/** From the environment, as the product reads it. A wrong variable ends the process. */
export function siteAddress(): SiteAddress {
  const place = readSitePlace();
  if (place.ok) return { host: place.config.HOST, port: place.config.PORT, publicUrl: place.config.PUBLIC_URL };
  console.error(place.message);
  return process.exit(1);
}

/**
 * Why the site could not be reached there; null: it can. Checked before anything is built or started, so another copy's answers are
 * never mistaken for our own.
 */
export async function portTaken({ host, port, publicUrl }: SiteAddress): Promise<string | null> {
  // Browsers look for `localhost` at ::1 first, wherever the product listens.
  const hosts = publicUrl === `http://localhost:${port}` ? [host, '::1'] : [host];
  for (const each of hosts) {
    if (!(await isTaken(each, port))) continue;
    return `Port ${port} on ${each} is already in use by another program: stop that one, or choose another port with PORT=4000.`;
  }
  return null;
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    probe.listen(port, host, () => probe.close(() => resolve(false)));
  });
}

/** Resolves when `/readyz` answers 200; rejects after a minute. */
export async function waitUntilReady({ host, port }: SiteAddress): Promise<void> {
  const readyUrl = `http://${reachableHost(host)}:${port}/readyz`;
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await delay(pollMs);
  }
  throw new Error(`The product was not ready after ${readyWithinMs / 1000} seconds.`);
}

/** A loopback address if the product listens on all of them; an IPv6 address in brackets (RFC 3986, 3.2.2). */
function reachableHost(host: string): string {
  const one = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return one.includes(':') ? `[${one}]` : one;
}
