import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPages, publicPages, type Pages } from './pages.ts';

let folder: string;
let pages: Pages;
let price = 12;
let timesFilled = 0;
const mintedCount = 700;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parameter-pages-'));
  await mkdir(join(folder, 'pages'));
  for (const name of [...Object.values(publicPages), 'auth', 'admin', 'verify', 'not-found']) {
    await writeFile(join(folder, 'pages', `${name}.html`), name);
  }
  await writeFile(
    join(folder, 'pages', 'rock.html'),
    '<title>@@rockTitle@@</title><!--site-config-->@@network@@<!--snapshot:query-problem-->',
  );
  pages = await loadPages({
    folder: join(folder, 'pages'),
    publicUrl: 'https://sui.rocks',
    siteConfig: { network: 'mainnet' },
    now: () => new Date('2026-11-20T00:00:00Z'),
    snapshots: {},
    parameterPages: [
      {
        name: 'rock',
        find: (path) => /^\/rocks\/(\d+)$/.exec(path)?.[1] ?? null,
        countedAs: '/rocks/{number}',
        fillingOf: (number) => {
          timesFilled += 1;
          if (Number(number) > mintedCount) return null;
          return { values: { rockTitle: `#${number} <${price} SUI>`, network: 'other' }, blocks: {} };
        },
        queryProblem: (query) => (query === 'page=1' ? null : 'No such <page>.'),
      },
    ],
  });
});
afterAll(() => rm(folder, { recursive: true }));

const textOf = (path: string): string | undefined => pages.find(path)?.identity.toString();

describe('a page with many addresses', () => {
  it('is filled for each address, escaped, and leaves the configuration as it is', () => {
    expect(textOf('/rocks/12')).toContain('<title>#12 &lt;12 SUI&gt;</title>');
    expect(textOf('/rocks/13')).toContain('<title>#13 &lt;12 SUI&gt;</title>');
    expect(textOf('/rocks/12')).toContain('mainnet');
    expect(textOf('/rocks/12')).not.toContain('"rockTitle"');
    expect(pages.find('/rocks/12')?.countedAs).toBe('/rocks/{number}');
  });

  it('is made once, and again after a change', () => {
    const before = pages.find('/rocks/12');
    const timesBefore = timesFilled;
    expect(pages.find('/rocks/12')).toBe(before);
    expect(timesFilled).toBe(timesBefore);
    price = 14;
    pages.refill('rock');
    expect(textOf('/rocks/12')).toContain('<title>#12 &lt;14 SUI&gt;</title>');
  });

  it('says what is wrong with its query, with status 400, and is kept apart from the page without it', () => {
    const wrong = pages.find('/rocks/12', 'page=-1');
    expect(wrong?.status).toBe(400);
    expect(wrong?.identity.toString()).toContain('<p>No such &lt;page&gt;.</p>');
    expect(pages.find('/rocks/12', 'page=-2')).toBe(wrong);
    const right = pages.find('/rocks/12');
    expect([right?.status, right?.identity.toString().includes('No such')]).toEqual([undefined, false]);
    expect(pages.find('/rocks/12', 'page=1')).toBe(right);
    expect(pages.find(`/rocks/${mintedCount + 1}`, 'page=-1')).toBeUndefined();
  });

  it('is not found when the address names something that does not exist', () => {
    for (const path of [`/rocks/${mintedCount + 1}`, '/rocks/abc', '/rocks/1/2']) {
      expect([path, pages.find(path)]).toEqual([path, undefined]);
    }
  });
});
