import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { giveName } from '../../scripts/give-name.ts';
import { startChild } from '../support/child.ts';
import { testDatabase } from '../support/database.ts';
import { somebodyWaits } from '../support/row-holder.ts';

let folder: string;
let [draft, file] = ['', ''];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-name-'));
  [draft, file] = [join(folder, 'draft'), join(folder, 'backup.gz')];
  await writeFile(draft, 'whole');
});
afterEach(() => rm(folder, { recursive: true }));

/** A file system without hard links, as on a USB stick or a network share. */
const withoutLinks = (code: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(`${code}: link`), { code, syscall: 'link', path: draft }));

describe('a file, such as a backup, gets its name when it is complete (docs/operations.md)', () => {
  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])('even where there are no hard links: %s', async (code) => {
    await giveName(draft, file, withoutLinks(code));
    expect(await readFile(file, 'utf8')).toBe('whole');
  });

  test('a file that already exists is left as it is, with and without hard links', async () => {
    await writeFile(file, 'of yesterday');
    await expect(giveName(draft, file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(giveName(draft, file, withoutLinks('EPERM'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('of yesterday');
  });

  test('no file has the name if it cannot be given', async () => {
    await rm(draft);
    await expect(giveName(draft, file, withoutLinks('EPERM'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(giveName(draft, file, withoutLinks('EACCES'))).rejects.toMatchObject({ code: 'EACCES' });
    expect(await readdir(folder)).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('a backup that is stopped by %s leaves no file', async (signal) => {
    await rm(draft);
    const database = await testDatabase();
    const writer = await database.pool.connect();
    await writer.query('begin');
    await writer.query('lock table users in access exclusive mode');
    const backup = startChild('scripts/backup.ts', [folder], { DATABASE_URL: database.url });
    await somebodyWaits(database.pool);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^sui-rocks-.*\.partial$/)]);
    expect(await backup.end(signal)).toBe(1);
    expect(await readdir(folder)).toEqual([]);
    await writer.query('rollback');
    writer.release();
    await database.drop();
  });
});
