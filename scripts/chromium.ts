import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium that is already on this machine, or null. `CHROME_PATH` wins. */
export const findChromium = (): string | null => {
  const candidates = [process.env['CHROME_PATH'], ...installed, chromium.executablePath()];
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? null;
};

/** Finds Chromium or brings it: Debian's package as root (Playwright has none for every platform), else Playwright's. */
export const ensureChromium = (): string => {
  const found = findChromium();
  if (found !== null) return found;
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  };
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', 'update', '-q');
    run('apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium');
  } else {
    run('npx', 'playwright', 'install', 'chromium');
  }
  const brought = findChromium();
  if (brought === null) throw new Error('No Chromium could be found or installed; set CHROME_PATH to one.');
  return brought;
};

/** A browser as root has no sandbox of its own; the other flags keep Chromium from calling home. */
export const chromiumArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
