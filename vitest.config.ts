import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { artwork, botCommands } from './scripts/virtual-modules.ts';
import { LongestFirst } from './scripts/longest-first.ts';
import { secondTries } from './scripts/second-tries.ts';

// Pages are drawn as visitors get them: React's other build needs more than twice the time.
process.env['NODE_ENV'] = 'production';

/** Nothing but functions of their arguments (the compiler sees to it): they need no database, and one process does for all. */
const { include: pureFiles } = JSON.parse(readFileSync('tsconfig.pure.json', 'utf8')) as { include: string[] };
const pure = pureFiles
  .filter((glob) => glob.startsWith('src/') && glob.endsWith('/**/*.ts'))
  .map((glob) => glob.replace(/\*\.ts$/, '*.test.ts'));

export default defineConfig({
  plugins: [artwork(), botCommands()],
  test: {
    // The others wait for real databases, processes and time more than half of their time: four keep two cores busy.
    maxWorkers: 4,
    // What hangs is worth a minute; what is slow because everything else runs as well is no failure.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    reporters: ['default', secondTries],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            'src/**/*.test.{ts,tsx}',
            'packages/**/*.test.ts',
            'sandbox/**/*.test.ts',
            'artwork/**/*.test.ts',
            'tests/{contract,server,architecture,attack}/**/*.test.ts',
          ],
          exclude: pure,
          // Real processes on a busy machine miss a beat now and then. What fails twice is wrong; what needed both is named.
          retry: 1,
          // Modules keep no state and do nothing when they are loaded: loading them once for all files of a worker halves the work.
          isolate: false,
          globalSetup: ['tests/support/global-setup.ts'],
        },
      },
    ],
  },
});
