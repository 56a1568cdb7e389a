import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium without window, bookmarks and address bar: opening a page takes a third of the processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Path of a Chromium that is already on this machine, or null. `CHROME_PATH` wins. */
const findChromium = (): string | null => {
  const candidates = [process.env['CHROME_PATH'], ...installed, chromium.executablePath()];
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? null;
};

/** Path of the browser that the tests run in, or null. `CHROME_PATH` wins. */
export const findTestBrowser = (): string | null =>
  process.env['CHROME_PATH'] === undefined && existsSync(headlessShell) ? headlessShell : findChromium();

const run = (command: string, ...args: string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(command, args, { stdio: 'inherit', env, timeout: 300_000 });
};

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const install = (debianPackage: string): void => {
  // Give up soon without a network: an installed browser may be enough.
  const inTime = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15', '-q'];
  run('apt-get', 'update', ...inTime);
  run('apt-get', 'install', ...inTime, '-y', '--no-install-recommends', debianPackage);
};

/** Finds Chromium or installs it: as root Debian's package (Playwright does not cover every platform), otherwise Playwright's. */
export const ensureChromium = (): string => {
  const found = findChromium();
  if (found !== null) return found;
  if (canInstall()) install('chromium');
  else run('npx', 'playwright', 'install', 'chromium');
  const brought = findChromium();
  if (brought === null) throw new Error('No Chromium could be found or installed; set CHROME_PATH to one.');
  return brought;
};

/** Like `ensureChromium`, but tries to install the faster headless shell first. */
export const ensureTestBrowser = (): string => {
  if (process.env['CHROME_PATH'] === undefined && !existsSync(headlessShell) && canInstall()) {
    try {
      install('chromium-headless-shell');
    } catch (error) {
      console.warn(`Without ${headlessShell}: ${String(error)}`);
    }
  }
  return findTestBrowser() ?? ensureChromium();
};

/** As root, Chromium cannot use its own sandbox. The flags about networking, updates and sync keep it from calling home. */
export const chromiumArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
