import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { keptSessionSecret } from './session-secret.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'secret-')), 'data');
  await mkdir(dataDir);
});
afterEach(() => rm(join(dataDir, '..'), { recursive: true }));

it('is made once, long enough, and kept for its owner alone', async () => {
  const secret = await keptSessionSecret(dataDir);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(await keptSessionSecret(dataDir)).toBe(secret);
  expect((await stat(join(dataDir, 'session-secret'))).mode & 0o777).toBe(0o600);
});

it('is the same for two starts at once', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => keptSessionSecret(dataDir)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['session-secret']);
});

it('is refused when the file is damaged', async () => {
  await keptSessionSecret(dataDir);
  await writeFile(join(dataDir, 'session-secret'), 'short');
  await expect(keptSessionSecret(dataDir)).rejects.toThrow(/is damaged: delete it and start again/);
});

it('says what to do when DATA_DIR cannot be written', async () => {
  await writeFile(join(dataDir, '..', 'file'), '');
  await expect(keptSessionSecret(join(dataDir, '..', 'file'))).rejects.toThrow(
    /^DATA_DIR \(.*\) cannot be written: give/,
  );
});

it('is kept as well where a file cannot have two names, as on a network share', async () => {
  const noLinks = (): Promise<never> => Promise.reject(Object.assign(new Error('ENOTSUP: link'), { code: 'ENOTSUP' }));
  const secret = await keptSessionSecret(dataDir, noLinks);
  expect(await keptSessionSecret(dataDir, noLinks)).toBe(secret);
  expect(await readdir(dataDir)).toEqual(['session-secret']);
});
