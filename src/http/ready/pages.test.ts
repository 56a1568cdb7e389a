import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../operations.ts';
import { fillPage, jsonBlock, loadPages, publicPages, type Pages, type PagesDeps } from './pages.ts';
import { searchEngineFiles } from '../../site/site-pages.ts';
import { loadStaticFiles } from './ready-answer.ts';
import { startTestServer, type TestServer } from '../../../tests/support/test-server.ts';

const theme = 'document.documentElement.dataset.theme = "dark";';
const template = (name: string): string =>
  `<!doctype html><html><head><style>b{color:red}</style><script>${theme}</script>` +
  `<script type="module" src="/assets/main-1.js"></script><!--site-config--></head><body>` +
  `<h1>${name}</h1><a href="@@linkX@@">X</a><p>© @@currentYear@@</p>` +
  (name === 'rockfolio' || name === 'home' ? '<noscript><!--snapshot:treasury--></noscript>' : '') +
  '<!--another comment--></body></html>';

let folder: string;
let treasuryText = '';
let time = '2026-12-31T23:59:59.999Z';
let pages: Pages;
let app: TestServer;

const siteConfig = { linkX: 'https://x.com/a?b=1&c="</script>', network: 'mainnet' };
const depsIn = (place: string): PagesDeps => ({
  folder: join(place, 'pages'),
  publicUrl: 'https://sui.rocks',
  siteConfig,
  now: () => new Date(time),
  snapshots: { 'snapshot:treasury': () => treasuryText },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await mkdir(join(folder, 'pages'));
  await mkdir(join(folder, 'client', 'assets'), { recursive: true });
  for (const name of [...Object.values(publicPages), 'auth', 'admin', 'verify', 'not-found']) {
    await writeFile(join(folder, 'pages', `${name}.html`), template(name));
  }
  await writeFile(join(folder, 'client', 'assets', 'main-1.js'), `console.log("${'rock'.repeat(300)}")`);
  await writeFile(join(folder, 'client', 'assets', 'main-1.js.br'), 'brotli from the build');
  await writeFile(join(folder, 'client', 'assets', 'main-1.js.gz'), 'gzip from the build');
  await writeFile(join(folder, 'client', 'assets', 'rock.woff2'), 'f'.repeat(900));
  await writeFile(join(folder, 'client', 'favicon.svg'), `<svg>${'<g/>'.repeat(200)}</svg>`);
  await writeFile(join(folder, 'client', '.secret.json'), '{}');
  await writeFile(join(folder, 'secret.json'), '{}');
  pages = await loadPages(depsIn(folder));
  const files = await loadStaticFiles(join(folder, 'client'));
  const forSearch = searchEngineFiles('https://sui.rocks', []);
  app = await startTestServer({
    findPage: (path) => pages.find(path) ?? files.get(path) ?? forSearch(path),
    notFoundPage: pages.notFound,
    metrics: createMetrics(),
  });
});
afterAll(async () => {
  await app.server.stop();
  await rm(folder, { recursive: true });
});

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('a public page', () => {
  it.each(Object.entries(publicPages))('%s is served, and an extra slash redirects to it', async (path, name) => {
    const { status, text, headers } = await app.ask(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<h1>${name}</h1>`);
    if (path !== '/') expect((await app.ask(`${path}/`)).headers.location).toBe(path);
  });

  it('is filled with the configuration, escaped for its place in the page', async () => {
    const { text } = await app.ask('/nft');
    expect(text).toContain('<a href="https://x.com/a?b=1&amp;c=&quot;&lt;/script&gt;">');
    const block = /<script type="application\/json" id="site-config">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(block).not.toContain('<');
    expect(JSON.parse(block)).toEqual({ ...siteConfig, currentYear: '2026' });
    expect(text).toContain('<!--another comment-->');
  });

  it('allows its own inline script and style by hash, and nothing else inline', async () => {
    const policy = String((await app.ask('/nft')).headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' ${sha256(theme)};`);
    expect(policy).toContain(`style-src 'self' ${sha256('b{color:red}')};`);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('allows no script from content that was filled in', async () => {
    const before = String((await app.ask('/rockfolio')).headers['content-security-policy']);
    treasuryText = '<script>document.title = "taken over"</script><style>b{color:blue}</style>';
    pages.refresh('snapshot:treasury');
    const { text, headers } = await app.ask('/rockfolio');
    expect(text).toContain(treasuryText);
    expect(headers['content-security-policy']).toBe(before);
    treasuryText = '';
    pages.refresh('snapshot:treasury');
  });

  it('lets no text become markup or a script (Trusted Types)', async () => {
    const policy = String((await app.ask('/nft')).headers['content-security-policy']);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  });

  it('shows the last snapshot, and a new one as soon as there is one', async () => {
    const before = await app.ask('/rockfolio');
    expect(before.text).toContain('<noscript></noscript>');
    const unchanged = pages.find('/nft');
    treasuryText = '<p>Total: 1 &lt; 2</p>';
    pages.refresh('snapshot:treasury');
    const after = await app.ask('/rockfolio', { headers: { 'if-none-match': String(before.headers.etag) } });
    expect([after.status, after.text.includes(treasuryText)]).toEqual([200, true]);
    expect((await app.ask('/')).text).toContain(treasuryText);
    expect(pages.find('/nft')).toBe(unchanged);
  });

  it('shows the current year in its text and in its configuration, even years after the build', async () => {
    const yearsOf = async (path: string): Promise<string[]> =>
      (await app.ask(path)).text.match(/© \d{4}|"currentYear":"\d{4}"/g) ?? [];
    expect(await yearsOf('/privacy')).toEqual(['"currentYear":"2026"', '© 2026']);
    time = '2028-01-01T00:00:00Z';
    for (const path of ['/privacy', '/', '/no-such-cave']) {
      expect(await yearsOf(path)).toEqual(['"currentYear":"2028"', '© 2028']);
    }
  });

  it('that is unknown is the not-found page', async () => {
    for (const path of ['/toString', '/constructor', '/home', '/not-found.html']) {
      const { status, text } = await app.ask(path);
      expect([path, status, text.includes('<h1>not-found</h1>')]).toEqual([path, 404, true]);
    }
  });

  it('of the admin area is served, but no browser stores it', async () => {
    for (const name of ['auth', 'admin']) {
      const { status, text, headers } = await app.ask(`/${name}`);
      expect([status, text.includes(`<h1>${name}</h1>`), headers['cache-control']]).toEqual([200, true, 'no-store']);
    }
    expect((await app.ask('/nft')).headers['cache-control']).toBe('no-cache');
  });

  it('of a secret link is served for every secret, never cached, never passed on, and counted without the secret', async () => {
    const secret = 'a'.repeat(43);
    const { status, text, headers } = await app.ask(`/verify/${secret}`);
    expect([status, text.includes('<h1>verify</h1>')]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect((await app.ask('/verify/one/two')).status).toBe(404);
    const { text: metricsText } = await app.ask('/metrics');
    expect(metricsText).toContain('/verify/{token}');
    expect(`${metricsText}${app.log()}`).not.toContain(secret);
  });

  it('on how to verify is at the address with which links begin, also with an extra slash', async () => {
    const { status, text, headers } = await app.ask('/verify');
    expect([status, text.includes('<h1>how-to-verify</h1>')]).toEqual([200, true]);
    expect(headers['x-robots-tag']).toBeUndefined();
    const { status: moved, headers: to } = await app.ask('/verify/');
    expect([moved, to.location]).toEqual([308, '/verify']);
  });

  it('cannot be served without a build, and the error says how to make one', async () => {
    await expect(loadPages(depsIn('/nowhere'))).rejects.toThrow('run npm run build');
    await expect(loadStaticFiles('/nowhere')).rejects.toThrow('run npm run build');
  });
});

describe('filling a page', () => {
  it('never reads filled-in text as a placeholder', () => {
    const filled = fillPage('@@a@@ <!--b--> @@unknown@@ @@toString@@', {
      values: { a: '@@c@@ <!--b-->', c: 'never' },
      blocks: { b: '@@a@@' },
    });
    expect(filled).toBe('@@c@@ &lt;!--b--&gt; @@a@@ @@unknown@@ @@toString@@');
  });

  it('does not treat dollar signs as patterns', () => {
    expect(fillPage('@@a@@', { values: { a: "$& $' $1" }, blocks: {} })).toBe('$&amp; $&#39; $1');
    expect(jsonBlock('x', '</script><!--')).not.toContain('</script><!--');
  });
});

describe('a file of the build', () => {
  it('under /assets is cached for a year, in the encodings that the build made', async () => {
    const plain = await app.ask('/assets/main-1.js');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const inEncoding = async (encoding: string): Promise<string> =>
      (await app.ask('/assets/main-1.js', { headers: { 'accept-encoding': encoding } })).text;
    expect([await inEncoding('br'), await inEncoding('gzip')]).toEqual([
      'brotli from the build',
      'gzip from the build',
    ]);
  });

  it('that is already compressed is sent as it is', async () => {
    const { headers, bytes } = await app.ask('/assets/rock.woff2', { headers: { 'accept-encoding': 'br' } });
    expect([headers['content-encoding'], headers['content-type'], bytes.length]).toEqual([
      undefined,
      'font/woff2',
      900,
    ]);
  });

  it('outside /assets is cached for an hour, and other sites may show it', async () => {
    const { headers } = await app.ask('/favicon.svg', { headers: { 'accept-encoding': 'br' } });
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers['content-encoding']).toBe('br');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  it('is never a hidden file, a file outside the folder or a compressed copy', async () => {
    for (const path of [
      '/secret.json',
      '/.secret.json',
      '/assets/../../secret.json',
      '/..%2fsecret.json',
      '/assets/main-1.js.br',
    ]) {
      expect([path, (await app.ask(path)).status]).toEqual([path, 404]);
    }
  });
});

describe('for search engines', () => {
  it('robots.txt and the sitemap name the configured origin', async () => {
    expect((await app.ask('/robots.txt')).text).toContain('Sitemap: https://sui.rocks/sitemap.xml');
    const { text, headers } = await app.ask('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(text.match(/<loc>[^<]+<\/loc>/g)).toEqual([
      '<loc>https://sui.rocks/</loc>',
      '<loc>https://sui.rocks/nft</loc>',
      '<loc>https://sui.rocks/rocks</loc>',
      '<loc>https://sui.rocks/rockfolio</loc>',
      '<loc>https://sui.rocks/statements</loc>',
      '<loc>https://sui.rocks/payouts</loc>',
      '<loc>https://sui.rocks/telegram</loc>',
      '<loc>https://sui.rocks/verify</loc>',
      '<loc>https://sui.rocks/privacy</loc>',
      '<loc>https://sui.rocks/terms</loc>',
    ]);
  });
});
