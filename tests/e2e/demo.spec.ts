import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryDataDir } from '../support/temporary-data-dir.ts';
import { until } from '../support/until.ts';
import { expect, test } from './support/browser.ts';

const answers = async (url: string): Promise<boolean> => (await fetch(url).catch(() => null))?.status === 200;

test('one command starts the whole demo, which says where it is, and Ctrl-C leaves nothing running', async ({
  page,
}) => {
  const dataDir = await temporaryDataDir();
  const port = await freePort();
  const site = `http://localhost:${port}`;
  const demo = startChild('scripts/demo.ts', ['--data-dir', dataDir.path], { PORT: String(port) });
  try {
    await until('the demo says where it is', () => demo.output().includes('Ctrl-C ends everything.'), 60_000);
    expect(demo.output()).toContain(`${site}/rockfolio`);
    expect(demo.output()).toContain(`what the product has stored stays in ${dataDir.path}`);
    expect(demo.output()).toMatch(/name admin, password \S{8,}/);
    const sandboxConsole = /http:\/\/127\.0\.0\.1:\d+/.exec(demo.output())?.[0] ?? '';
    expect(await answers(sandboxConsole)).toBe(true);

    await until('the treasury was read', () => answers(`${site}/api/treasury/balance`));
    await page.goto(`${site}/rockfolio`);
    await expect(page.getByRole('group', { name: 'Total Value' })).toContainText(/live/i, { timeout: 30_000 });

    expect(await demo.end('SIGINT')).toBe(0);
    expect(await answers(site)).toBe(false);
    expect(await answers(sandboxConsole)).toBe(false);
  } finally {
    await demo.end('SIGKILL');
    await dataDir.remove();
  }
});

test('a second demo in the same folder ends with 1 and leaves the first one, its database and its log alone', async () => {
  const dataDir = await temporaryDataDir();
  const port = await freePort();
  const startDemo = (onPort: number) =>
    startChild('scripts/demo.ts', ['--data-dir', dataDir.path], { PORT: String(onPort), LOG_LEVEL: 'info' });
  const read = (file: string): Promise<string> => readFile(join(dataDir.path, file), 'utf8');
  const first = startDemo(port);
  try {
    await until('the demo says where it is', () => first.output().includes('Ctrl-C ends everything.'), 60_000);
    const postmaster = (await read('postgres/postmaster.pid')).split('\n', 1);
    const [firstLine = ''] = (await read('product.log')).split('\n', 1);
    expect(firstLine).not.toBe('');

    const elsewhere = startDemo(await freePort());
    expect(await elsewhere.exited).toBe(1);
    expect(elsewhere.output()).toMatch(/is in use by process \d+ since/);
    const samePort = startDemo(port);
    expect(await samePort.exited).toBe(1);

    expect((await read('postgres/postmaster.pid')).split('\n', 1)).toEqual(postmaster);
    expect(await answers(`http://localhost:${port}/readyz`)).toBe(true);
    expect((await read('product.log')).split('\n', 1)).toEqual([firstLine]);
    expect(await read('product.log')).not.toContain('PostgreSQL ended unexpectedly');
    expect(await first.end('SIGINT')).toBe(0);
  } finally {
    await first.end('SIGKILL');
    await dataDir.remove();
  }
});

test('a second demo on a taken port says so in one sentence and ends with 1', async ({ product }) => {
  const dataDir = await temporaryDataDir();
  const { port } = new URL(product.url);
  const demo = startChild('scripts/demo.ts', ['--data-dir', dataDir.path], { PORT: port });
  expect(await demo.exited).toBe(1);
  expect(demo.output()).toMatch(new RegExp(`${port}.*(taken|in use|used)`, 'i'));
  await dataDir.remove();
});
