import { describe, expect, test } from 'vitest';
import { documentHead, pageHeads } from './page-heads.ts';
import { pageAt } from './pages.tsx';

const heads = Object.values(pageHeads);

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
  ])('%s is the page %s', (path, name) => {
    expect(pageAt(path)).toBe(name);
  });
});

describe('heads', () => {
  test('every page has a title and a description of its own, of the length that search results show', () => {
    expect(new Set(heads.map(({ title }) => title)).size).toBe(heads.length);
    for (const { title, description } of heads) {
      expect(title.length, title).toBeLessThanOrEqual(65);
      expect(description.length, description).toBeGreaterThan(60);
      expect(description.length, description).toBeLessThanOrEqual(200);
    }
  });

  test('addresses begin with the placeholder that the server fills', () => {
    expect(documentHead(pageHeads.nft)).toContain('<link rel="canonical" href="@@publicUrl@@/nft">');
    expect(documentHead(pageHeads.nft)).toContain('content="@@publicUrl@@/og/nft.png"');
  });

  test('the not-found page has no address and is not to be indexed', () => {
    const head = documentHead(pageHeads['not-found']);
    expect(head).toContain('noindex');
    expect(head).not.toContain('canonical');
  });

  test.each([pageHeads.auth, pageHeads.admin, pageHeads.verify])('$path is not to be indexed', (head) => {
    expect(documentHead(head)).toContain('noindex');
    expect(documentHead(head)).not.toContain('canonical');
  });

  test('text in the head is escaped', () => {
    const head = documentHead({ ...pageHeads.home, title: '"<b>&' });
    expect(head).toContain('<title>&quot;&lt;b&gt;&amp;</title>');
  });
});
