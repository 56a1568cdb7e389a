import os from 'node:os';

import { expect, test } from 'vitest';

import { findBinaries } from '../src/programs.ts';
import { explainStartupFailure } from '../src/failure.ts';

test.each([
  [
    'disk-full',
    'FATAL:  could not write lock file "postmaster.pid": No space left on device',
    /is full: free some space/,
  ],
  [
    'data-dir-unwritable',
    'initdb: error: could not access directory "/x": Permission denied',
    /cannot be written: .*use another folder\.$/,
  ],
  ['postgres-missing', 'error while loading shared libraries: libicuuc.so.60', /npm rebuild/],
  [
    'postgres-start-failed',
    'LOG:  starting\nFATAL:  could not map anonymous memory\n',
    /did not start: could not map anonymous memory/,
  ],
])('%s: what the server said becomes one sentence that says what to do', async (reason, said, sentence) => {
  const failure = await explainStartupFailure(new Error(said), os.tmpdir());
  expect(failure).toMatchObject({ reason, message: expect.stringMatching(sentence) });
  expect(failure.cause).toMatchObject({ message: said });
});

test('A platform without a built-in PostgreSQL is named, with those that have one', () => {
  expect(() => findBinaries('win32', 'x64')).toThrow(
    'There is no built-in PostgreSQL for win32-x64: use Linux or macOS, or WSL on Windows.',
  );
});
