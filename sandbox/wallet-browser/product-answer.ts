import type { Answer } from '../service/answer.ts';
import type { Addresses, ProductAnswer } from './product-call.ts';
import { asOf } from './product-call.ts';

const droppedHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'set-cookie',
  'strict-transport-security',
  'etag',
  'last-modified',
]);

/** The product's answer, rewritten for the wallet browser's address and with the wallet's script in its documents. */
export function asOwnAnswer(
  { status, headers, body }: ProductAnswer,
  { own, product }: Addresses,
  wallet: { script: string; network: string },
): Answer {
  const kept = Object.entries(headers).filter(([name]) => !droppedHeaders.has(name));
  const copied: Answer['headers'] = Object.fromEntries(
    kept.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const { location, 'set-cookie': cookies = [], 'content-security-policy': policy } = headers;
  if (location !== undefined) copied['location'] = asOf(location, product.origin, own);
  if (policy !== undefined) copied['content-security-policy'] = withWallet(String(policy), own + wallet.script);
  const isDocument = headers['content-type']?.startsWith('text/html') === true;
  return {
    status,
    headers: copied,
    ...(cookies.length > 0 && { cookies: cookies.map((cookie) => ownCookie(cookie, product)) }),
    body: isDocument ? withScript(body.toString('utf8'), wallet) : body,
  };
}

/** The wallet browser is served without TLS, where a Secure cookie would be lost. */
function ownCookie(cookie: string, product: URL): string {
  const parts = cookie.split(/;\s*/);
  const isKept = (part: string): boolean =>
    !/^domain=/i.test(part) && !(product.protocol === 'https:' && /^secure$/i.test(part));
  return [...parts.slice(0, 1), ...parts.slice(1).filter(isKept)].join('; ');
}

/** Browsers run extension scripts regardless of a page's policy; so the policy must allow the wallet's script and its calls. */
function withWallet(policy: string, script: string): string {
  const directives = policy.split(';').map((directive) => directive.trim());
  const wallet = script.slice(0, script.lastIndexOf('/') + 1);
  const added: Readonly<Record<string, string>> = { 'script-src': script, 'connect-src': wallet };
  return directives
    .filter((directive) => directive !== 'upgrade-insecure-requests' && directive !== '')
    .map((directive) => {
      const [name = '', ...sources] = directive.split(/\s+/);
      const source = added[name.toLowerCase()];
      return source === undefined
        ? directive
        : [name, ...sources.filter((each) => each !== "'none'"), source].join(' ');
    })
    .join('; ');
}

/** Puts the wallet's script before all others, like an extension's. */
function withScript(document: string, { script, network }: { script: string; network: string }): string {
  const tag = `<script src="${script}" data-network="${network}"></script>`;
  const head = /<head(?:\s[^>]*)?>/i;
  return head.test(document) ? document.replace(head, (found) => found + tag) : tag + document;
}
