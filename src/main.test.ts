import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Child, startChild } from '../tests/support/child.ts';

let folder: string;
let port: number;

beforeAll(async () => {
  // The built pages are served: `npm test` builds them first.
  await access(join(import.meta.dirname, '..', 'dist', 'pages', 'home.html'));
  folder = await mkdtemp(join(tmpdir(), 'main-'));
  port = await withPort(({ port }) => port);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Nothing outside answers: port 9 (discard) is closed on this machine. */
const nowhere = 'http://127.0.0.1:9';
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  PORT: String(port),
  DATA_DIR: join(folder, 'data'),
  TREASURY_ADDRESS: '0xabc',
  COLLECTION_TYPE: '0x7::rocks::Nft',
  SUI_GRPC_URL: nowhere,
  SUI_ARCHIVE_URL: nowhere,
  MARKET_API_URL: nowhere,
  PRICES_API_URL: nowhere,
  PRICES_FALLBACK_URL: nowhere,
  ...more,
});

async function withPort<T>(use: (place: { port: number }) => Promise<T> | T): Promise<T> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  try {
    return await use(holder.address() as { port: number });
  } finally {
    holder.close();
  }
}

const readyChild = async (): Promise<Child> => {
  const child = startChild('src/main.ts', [], environment({ LOG_LEVEL: 'error' }));
  expect(await child.firstLine()).toBe(
    `Sui Rocks is ready at http://localhost:${port} (it listens on 127.0.0.1, port ${port}).`,
  );
  return child;
};

describe('a start that cannot succeed ends with code 1 and says what to do', () => {
  const endOf = async (more: Record<string, string>): Promise<readonly [number | null, string]> => {
    const child = startChild('src/main.ts', [], environment({ LOG_LEVEL: 'silent', ...more }));
    return [await child.exited, child.output().trim()];
  };

  it('about every bad variable in one message', async () => {
    const [code, said] = await endOf({ PORT: 'x', PUBLIC_URL: 'y', TREASURY_ADDRESS: '' });
    expect(code).toBe(1);
    expect(said.split('\n')).toEqual([
      'The configuration is not usable. 3 variables are wrong:',
      expect.stringMatching(/^ {2}PORT must be a whole number/),
      expect.stringMatching(/^ {2}PUBLIC_URL must be an origin/),
      expect.stringMatching(/^ {2}TREASURY_ADDRESS is missing/),
    ]);
  });

  it('about a DATA_DIR that is a file', async () => {
    await writeFile(join(folder, 'file'), '');
    const [code, said] = await endOf({ DATA_DIR: join(folder, 'file') });
    expect([code, said.split('\n').length]).toEqual([1, 1]);
    expect(said).toMatch(/^The data folder .*DATA_DIR sets the folder/);
  });

  it('about a database that is not there', async () => {
    const secret = 'x'.repeat(32);
    const [code, said] = await endOf({
      DATABASE_URL: 'postgresql://me:s3cret@127.0.0.1:9/rocks',
      SESSION_SECRET: secret,
    });
    expect([code, said.split('\n').length]).toEqual([1, 1]);
    expect(said).toContain('check DATABASE_URL');
    expect(said).not.toContain('s3cret');
  });

  it('about a taken port, leaving no database server behind', async () => {
    const [code, said] = await withPort(({ port }) => endOf({ PORT: String(port) }));
    expect([code, said.split('\n').length]).toEqual([1, 1]);
    expect(said).toMatch(/^Port \d+ on 127\.0\.0\.1 is already in use by another program/);
    await expect(access(join(folder, 'data', 'postgres', 'postmaster.pid'))).rejects.toThrow();
  });
});

describe('the whole product', () => {
  it('serves while no upstream answers, and stops cleanly at once', async () => {
    const child = await readyChild();
    const statuses = await Promise.all(
      ['/', '/rockfolio', '/readyz', '/api/collection', '/nope'].map(async (path) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
    const startedAtMs = performance.now();
    expect(await child.end('SIGINT')).toBe(0);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    await expect(access(join(folder, 'data', 'postgres', 'postmaster.pid'))).rejects.toThrow();
  });

  it('refuses a second copy on the same DATA_DIR and keeps running, and a closed terminal leaves no database behind', async () => {
    const child = await readyChild();
    const second = startChild('src/main.ts', [], environment({ PORT: '3', LOG_LEVEL: 'silent' }));
    expect(await second.exited).toBe(1);
    expect(second.output().trim().split('\n')).toHaveLength(1);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(await child.end('SIGHUP')).toBe(0);
    await expect(access(join(folder, 'data', 'postgres', 'postmaster.pid'))).rejects.toThrow();
  });
});
