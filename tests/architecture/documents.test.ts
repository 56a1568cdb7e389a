import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const table = readFileSync('docs/specification.md', 'utf8');
const cellsOf = (line: string): string[] => line.split(' | ').map((cell) => cell.replace(/^\|/, '').trim());
const rows = table
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .flatMap((line) => {
    const [, , folders = '', links = ''] = cellsOf(line);
    const found = [...links.matchAll(/\[(.+?)\]\(([^)]+)\)/g)].map(([, title = '', file = '']) => ({
      folders,
      title,
      file: path.normalize(path.join('docs', file)),
    }));
    return found.length === 0 ? [{ folders, title: '', file: '' }] : found;
  });

describe('docs/specification.md: each statement of the specification has a test that exists', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ title, file }) => title === '' || file === '')).toEqual([]);
  });

  it.each(rows)('$title', ({ title, file, folders }) => {
    expect(readFileSync(file, 'utf8').replaceAll("\\'", "'")).toContain(title);
    for (const folder of folders.split(', ')) expect(existsSync(folder), folder).toBe(true);
  });
});

describe('README: its commands and variables exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it.each([...new Set([...readme.matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name]) => name ?? ''))])(
    'npm run %s',
    (name) => {
      expect(Object.keys(scripts)).toContain(name);
    },
  );

  it.each([...readme.matchAll(/`([A-Z][A-Z_]{3,})`/g)].map(([, name]) => name ?? ''))('%s', (name) => {
    expect(readFileSync('src/config.ts', 'utf8') + readFileSync('scripts/chromium.ts', 'utf8')).toContain(name);
  });
});

describe('documents: what they point to exists', () => {
  const documents = ['README.md', ...globSync('docs/**/*.md')];

  it.each(documents)('%s', (file) => {
    const text = readFileSync(file, 'utf8');
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => path.join(path.dirname(file), link));
    // Named in a sentence: src/main.ts, or src/jobs.
    const named = [...text.matchAll(/(?<![\w/.-])(?:src|tests|scripts|sandbox|bench|packages)\/[\w./-]*\w/g)]
      .map(([found]) => found)
      .filter((found) => globSync(`${found}*`).length === 0);
    expect([...links.filter((link) => !existsSync(link)), ...named]).toEqual([]);
  });

  it('docs/decisions/README.md lists every decision', () => {
    const index = readFileSync('docs/decisions/README.md', 'utf8');
    const decisions = readdirSync('docs/decisions').filter((name) => /^\d/.test(name));
    expect(decisions.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});
