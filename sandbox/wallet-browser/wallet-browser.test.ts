import type { IncomingMessage, Server } from 'node:http';
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { verifyPersonalMessageSignature } from '@mysten/sui/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

type Seen = { method?: string; url?: string; headers: IncomingMessage['headers']; body: string };

let sandbox: Sandbox;
let product: Server;
let productUrl = '';
const seen: Seen[] = [];

/** A stand-in for the product, with every header that matters to a browser. */
async function startProduct(): Promise<void> {
  product = createServer((asked, answer) => {
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      seen.push({ method: asked.method!, url: asked.url!, headers: asked.headers, body });
      const said = answers[asked.url!] ?? document;
      answer.writeHead(said.status ?? 200, said.headers).end(said.body);
    });
  }).listen(0, '127.0.0.1');
  await once(product, 'listening');
  productUrl = `http://localhost:${(product.address() as AddressInfo).port}`;
  answers['/old'] = { status: 302, headers: { location: `${productUrl}/new?x=1` } };
}

type Said = { status?: number; headers: Record<string, string | string[]>; body?: string };

const answers: Record<string, Said> = { '/plain': { headers: { 'content-type': 'text/plain' }, body: '<head>' } };
const document: Said = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'sha256-abc'; connect-src 'none'; upgrade-insecure-requests",
    'strict-transport-security': 'max-age=1',
    'set-cookie': ['a=1; Path=/; HttpOnly; Domain=localhost', 'b=2'],
  },
  body: '<!doctype html><html><head lang="en"><script src="/app.js"></script></head><body>ä</body></html>',
};

beforeAll(async () => {
  await startProduct();
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  product.closeAllConnections();
  product.close();
});

const own = () => sandbox.urls.walletBrowser;
const browse = (path: string, options: RequestInit = {}) => fetch(own() + path, { redirect: 'manual', ...options });

test('it reports when the address of the product is not set, does not answer or is invalid', async () => {
  expect([(await browse('/')).status, await (await browse('/')).text()]).toEqual([
    503,
    'The address of the product is not set.',
  ]);
  const told = await fetch(`${sandbox.urls.console}/control/wallets/browse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ productUrl: 'http://127.0.0.1:1/some/page' }),
  });
  expect(await told.json()).toEqual({ data: { productUrl: 'http://127.0.0.1:1' } });
  expect((await browse('/')).status).toBe(502);
  expect(() => sandbox.walletBrowser.setTarget('file:///etc/passwd')).toThrow('Not a product address');
  sandbox.walletBrowser.setTarget(productUrl);
});

test('a document has the wallet as its first script, and its policy allows the script and its calls', async () => {
  const answer = await browse('/verify/abc?x=%20y');
  const tag = '<script src="/.sandbox-wallet/wallet.js" data-network="mainnet"></script>';
  expect(await answer.text()).toContain(`<head lang="en">${tag}<script src="/app.js">`);
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'sha256-abc' ${own()}/.sandbox-wallet/wallet.js; connect-src ${own()}/.sandbox-wallet/`,
  );
  expect(answer.headers.get('strict-transport-security')).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/; HttpOnly', 'b=2']);
  expect(seen.at(-1)?.url).toMatch(/^\/verify\/abc\?x=(%20|\+)y$/);
  expect(await (await browse('/plain')).text()).toBe('<head>');
});

test('the product gets requests as at its own address, and a foreign origin is kept', async () => {
  await browse('/api/verify/abc/message', {
    method: 'POST',
    headers: { origin: own(), referer: `${own()}/verify/abc`, 'content-type': 'application/json', cookie: 'a=1' },
    body: '{"wallet":"0x1"}',
  });
  expect(seen.at(-1)).toMatchObject({
    method: 'POST',
    body: '{"wallet":"0x1"}',
    headers: { host: new URL(productUrl).host, origin: productUrl, referer: `${productUrl}/verify/abc`, cookie: 'a=1' },
  });
  await browse('/', { headers: { origin: 'https://evil.example' } });
  expect(seen.at(-1)?.headers.origin).toBe('https://evil.example');
  expect((await browse('/old')).headers.get('location')).toBe(`${own()}/new?x=1`);
});

test('wallet requests never reach the product; the wallet signs for its own people and refuses other pages', async () => {
  const before = seen.length;
  const people = (await (await browse('/.sandbox-wallet/people')).json()) as {
    data: { name: string; address: string }[];
  };
  expect(people.data.map(({ name }) => name)).toContain('Granite Gwen');
  const gwen = people.data[0]!;
  const message = Buffer.from('Hello').toString('base64');
  const sign = (body: object, headers: Record<string, string> = {}) =>
    browse('/.sandbox-wallet/sign', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const signed = (await (await sign({ address: gwen.address, message })).json()) as {
    data: { signature: string; bytes: string };
  };
  expect(signed.data.bytes).toBe(message);
  await verifyPersonalMessageSignature(new TextEncoder().encode('Hello'), signed.data.signature, {
    address: gwen.address,
  });
  expect((await sign({ address: gwen.address, message }, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await sign({ address: '0x1', message })).status).toBe(400);
  expect(seen).toHaveLength(before);
});

test("another site's host name that points here is refused", async () => {
  const { port } = new URL(own());
  const call = request({ host: '127.0.0.1', port, path: '/', headers: { host: `evil.example:${port}` } }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(403);
  answer.resume();
});
