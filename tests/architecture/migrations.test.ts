import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

const folder = new URL('../../migrations/', import.meta.url);

test('no delivered migration has changed: a database that applied the old text would refuse to start', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const sums = names.map(async (name) => {
    const hash = createHash('sha256').update(await readFile(new URL(name, folder)));
    return `${hash.digest('hex')}  ${name}`;
  });
  // A new migration adds its line: `cd migrations && sha256sum 0110-what-it-does.sql >> SHA256SUMS`.
  expect(await Promise.all(sums)).toEqual(
    (await readFile(new URL('SHA256SUMS', folder), 'utf8')).trimEnd().split('\n'),
  );
});
