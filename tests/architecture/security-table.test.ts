import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** How many requirements OWASP ASVS 5.0 has at levels 1 and 2, section by section; they are numbered without gaps. */
const sections = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2  2.1:3 2.2:3 2.3:4 2.4:1  3.2:2 3.3:4 3.4:6 3.5:5 3.7:2  4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4  7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1  9.1:3 9.2:4  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1  12.1:3 12.2:2 12.3:4  13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3  15.1:3 15.2:3 15.3:7  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3  17.1:1 17.2:4 17.3:2`;
const wanted = [...sections.matchAll(/([\d.]+):(\d+)/g)].flatMap(([, section, count]) =>
  Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
);

const text = readFileSync('docs/security.md', 'utf8');
const rows = text.split('\n').flatMap((line) => {
  const [, number, level, asks = '', holdsBy = ''] =
    /^\| (\d+\.\d+\.\d+) +\| ([12]) +\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
  return number === undefined ? [] : [{ number, level, asks, holdsBy }];
});
const links = [...text.matchAll(/\[([^\]]+)\]\(([^)#][^)]*)\)/g)].map(([, title = '', to = '']) => ({
  title,
  file: path.normalize(path.join('docs', to)),
}));

describe('docs/security.md: the table of OWASP ASVS 5.0 is complete and correct', () => {
  it('names each requirement of levels 1 and 2 once', () => {
    expect(rows.map(({ number }) => number).toSorted()).toEqual(wanted.toSorted());
  });

  it('names a test or a document for each, or says why it has none', () => {
    const reason =
      /\]\(|^(?:Not applicable|By construction|Partly|Open|The proxy's|The installation's|The product|The description|One way|package-lock)/;
    expect(rows.filter(({ asks, holdsBy }) => asks === '' || !reason.test(holdsBy))).toEqual([]);
  });

  it('names tests and pages that exist', () => {
    const missing = links.filter(({ title, file }) => {
      if (!existsSync(file)) return true;
      return /\.tsx?$/.test(file) && !readFileSync(file, 'utf8').replaceAll("\\'", "'").includes(title);
    });
    expect(links.length).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });

  it('links only to headings that exist', () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    for (const [, to] of text.matchAll(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(to);
  });
});
