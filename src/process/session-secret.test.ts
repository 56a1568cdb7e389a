import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { storedSessionSecret } from './start-and-stop.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'secret-')), 'data');
  await mkdir(dataDir);
});
afterEach(() => rm(join(dataDir, '..'), { recursive: true }));

it('the session secret is made once, is long enough, and only its owner can read it', async () => {
  const secret = await storedSessionSecret(dataDir);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(await storedSessionSecret(dataDir)).toBe(secret);
  expect((await stat(join(dataDir, 'session-secret'))).mode & 0o777).toBe(0o600);
});

it('a session secret that an earlier start left half-written is made again', async () => {
  await writeFile(join(dataDir, 'session-secret.draft'), 'sho');
  const secret = await storedSessionSecret(dataDir);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(await readdir(dataDir)).toEqual(['session-secret']);
});

it('a damaged session secret is refused', async () => {
  await storedSessionSecret(dataDir);
  await writeFile(join(dataDir, 'session-secret'), 'short');
  await expect(storedSessionSecret(dataDir)).rejects.toThrow(
    /is damaged: put back a copy .* authenticator apps have to be set up anew/,
  );
});

it('a DATA_DIR that cannot be written gives a sentence that says what to do', async () => {
  await writeFile(join(dataDir, '..', 'file'), '');
  await expect(storedSessionSecret(join(dataDir, '..', 'file'))).rejects.toThrow(
    /^DATA_DIR \(.*\) cannot be written: give/,
  );
});
