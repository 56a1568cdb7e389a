import { describe, expect, test } from 'vitest';
import { documentHead, headOf } from './entry-prerender.tsx';
import { pageAt, pageNames, titleAt } from './pages.tsx';

const heads = pageNames.map(headOf);

describe('specification 2, route list', () => {
  test.each([
    ['/', 'home'],
    ['/nft', 'nft'],
    ['/rockfolio', 'rockfolio'],
    ['/privacy', 'privacy'],
    ['/terms', 'terms'],
    ['/telegram', 'telegram'],
    ['/auth', 'auth'],
    ['/admin', 'admin'],
    ['/verify/Zm9vYmFy', 'verify'],
    ['/verify', 'how-to-verify'],
    ['/verify/', 'not-found'],
    ['/verify/one/two', 'not-found'],
    ['/no-such-cave', 'not-found'],
    ['/nft/1', 'not-found'],
    ['/statements', 'statements'],
    ['/statements/2026-10', 'statement'],
    ['/statements/2026-13', 'not-found'],
    ['/statements/abc', 'not-found'],
    ['/statements/2026-10/1', 'not-found'],
    ['/payouts', 'payouts'],
    ['/payouts/3', 'payout'],
    ['/payouts/3?find=12', 'payout'],
    ['/payouts/0', 'not-found'],
    ['/payouts/03', 'not-found'],
    ['/payouts/abc', 'not-found'],
    ['/rocks', 'rocks'],
    ['/rocks?color=Azure%20Pulse&page=2', 'rocks'],
    ['/rocks/1', 'rock'],
    ['/rocks/555', 'rock'],
    ['/rocks/0', 'not-found'],
    ['/rocks/556', 'not-found'],
    ['/rocks/-1', 'not-found'],
    ['/rocks/1000000000', 'not-found'],
    ['/rocks/abc', 'not-found'],
    [`/holders/0x${'aB'.repeat(32)}`, 'holder'],
    ['/holders/0x2', 'not-found'],
    [`/holders/0x${'a'.repeat(40)}`, 'not-found'],
    ['/holders/rocks.sui', 'holder'],
    ['/holders/@rocks', 'holder'],
    ['/holders/%40rocks', 'holder'],
    ['/holders/cave.rocks.sui', 'holder'],
    ['/holders/rocks.eth', 'not-found'],
    ['/holders/-rocks.sui', 'not-found'],
    ['/holders/rocks.sui/x', 'not-found'],
  ])('%s is the page %s', (path, name) => {
    expect(pageAt(path)).toBe(name);
  });
});

describe('heads', () => {
  test('every page has a title and a description of its own, of the length that search results show', () => {
    expect(new Set(heads.map(({ title }) => title)).size).toBe(heads.length);
    for (const { title } of heads) expect(title.length, title).toBeLessThanOrEqual(65);
    for (const { description } of heads.filter(({ filled }) => filled === undefined)) {
      expect(description.length, description).toBeGreaterThan(60);
      expect(description.length, description).toBeLessThanOrEqual(200);
    }
  });

  test('addresses begin with the placeholder that the server fills', () => {
    expect(documentHead(headOf('nft'))).toContain('<link rel="canonical" href="@@publicUrl@@/nft">');
    expect(documentHead(headOf('nft'))).toContain('content="@@publicUrl@@/og/nft.png"');
  });

  test("a rock's head is filled in by the server, its title after navigation by the browser", () => {
    const head = documentHead(headOf('rock'));
    expect(head).toContain('<title>@@rockTitle@@</title>');
    expect(head).toContain('<meta property="og:description" content="@@rockDescription@@">');
    expect(head).toContain('href="@@publicUrl@@/rocks/@@rockNumber@@"');
    expect(head).toContain('<meta property="og:image" content="@@publicUrl@@@@rockCard@@">');
    expect(head).toContain('<meta name="twitter:image" content="@@publicUrl@@@@rockCard@@">');
    expect(titleAt('rock', '/rocks/12')).toBe('Rock #12 | Sui Rocks');
    expect(titleAt('nft', '/nft')).toBe(headOf('nft').title);
  });

  test('home and the treasury page name the feed', () => {
    const feed = '<link rel="alternate" type="application/atom+xml" title="Sui Rocks: treasury" href="/feed.atom">';
    const withFeed = heads.filter((head) => documentHead(head).includes(feed)).map(({ path }) => path);
    expect(withFeed).toEqual(['/', '/rockfolio']);
  });

  test("a month's head is filled in by the server, its title after navigation by the browser", () => {
    const head = documentHead(headOf('statement'));
    expect(head).toContain('<title>@@statementTitle@@</title>');
    expect(head).toContain('href="@@publicUrl@@/statements/@@statementMonth@@"');
    expect(titleAt('statement', '/statements/2026-10')).toBe('Statement of October 2026 | Sui Rocks');
  });

  test("a payout's head is filled in by the server, its title after navigation by the browser", () => {
    const head = documentHead(headOf('payout'));
    expect(head).toContain('<title>@@payoutTitle@@</title>');
    expect(head).toContain('href="@@publicUrl@@/payouts/@@payoutId@@"');
    expect(titleAt('payout', '/payouts/3')).toBe('Payout 3 | Sui Rocks');
  });

  test('the not-found page has no address and must not be indexed', () => {
    const head = documentHead(headOf('not-found'));
    expect(head).toContain('noindex');
    expect(head).not.toContain('canonical');
  });

  test.each([headOf('auth'), headOf('admin'), headOf('verify')])('$path must not be indexed', (head) => {
    expect(documentHead(head)).toContain('noindex');
    expect(documentHead(head)).not.toContain('canonical');
  });

  test("a holder's page may be indexed but names no address: all holders share one document", () => {
    expect(documentHead(headOf('holder'))).not.toMatch(/noindex|canonical|og:url/);
  });

  test('text in the head is escaped', () => {
    const head = documentHead({ ...headOf('home'), title: '"<b>&' });
    expect(head).toContain('<title>&quot;&lt;b&gt;&amp;</title>');
  });
});
