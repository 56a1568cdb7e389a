import { defineConfig } from '@playwright/test';
import { chromiumArgs, findTestBrowser } from './scripts/chromium.ts';

const executablePath = findTestBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  workers: 3,
  forbidOnly: true,
  // What hangs is worth two minutes; what is slow because everything else runs as well is no failure.
  timeout: 120_000,
  // A browser on a busy machine misses a beat now and then. What fails twice is wrong; what needed both is listed as flaky.
  retries: 1,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    launchOptions: { args: [...chromiumArgs], ...(executablePath === null ? {} : { executablePath }) },
    // A trace of every test, to keep those of the few that fail, is half of the time: `npm run test:e2e -- --trace on <file>` makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
