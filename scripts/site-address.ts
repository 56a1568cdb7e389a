import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface SiteAddress {
  readonly host: string;
  readonly port: number;
  /** The address people type. */
  readonly publicUrl: string;
}

const pollMs = 100;
const readyWithinMs = 60_000;

/** The defaults of rulings R1. */
export function siteAddress(env: Readonly<Record<string, string | undefined>>): SiteAddress {
  const port = Number(env['PORT'] || 3000);
  return { host: env['HOST'] || '127.0.0.1', port, publicUrl: env['PUBLIC_URL'] || `http://localhost:${port}` };
}

/** Checked before anything is built or started, so another copy's answers are never mistaken for our own. */
export function isPortTaken({ host, port }: SiteAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    if (!(port >= 1 && port <= 65_535)) return resolve(false);
    return probe.listen(port, host, () => probe.close(() => resolve(false)));
  });
}

export const portTakenSentence = ({ host, port }: SiteAddress): string =>
  `Port ${port} on ${host} is already in use by another program: stop that one, or choose another port with PORT=4000.`;

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
