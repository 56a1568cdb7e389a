import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { databaseLine } from '../support/database-line.ts';
import { startProduct } from '../support/product.ts';
import { temporaryDataDir } from '../support/temporary-data-dir.ts';
import { until } from '../support/until.ts';
import { expect, test } from './support/browser.ts';

const chief = { username: 'chief', password: 'cave-painting' };
/** From docs/decisions/0020: the wait for a connection, then for an answer; the rest is slack for a slow machine. */
const longestMs = 18_000;

async function startWorld() {
  const folder = await temporaryDataDir();
  const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: folder.path, log: silentLog });
  const line = await databaseLine(postgres.url);
  const env = {
    DATABASE_URL: line.url,
    SESSION_SECRET: 'a secret of at least 32 characters',
    ADMIN_USERNAME: chief.username,
    ADMIN_PASSWORD: chief.password,
  };
  const product = await startProduct({ env });
  return {
    line,
    product,
    pool: createPool(postgres.url, silentLog),
    end: async () => {
      await product.stop();
      await line.end();
      await postgres.stop();
      await folder.remove();
    },
  };
}

test('while the database does not respond every page is served and every call answers, and all recovers when it is back', async ({
  page,
  complaints,
}) => {
  // Two starts and two silences take more than two minutes on a busy machine.
  test.setTimeout(240_000);
  const world = await startWorld();
  const { product, line, pool } = world;
  const logIn = () =>
    fetch(`${product.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chief),
    });
  const asOf = async (): Promise<string> => {
    const answer = await fetch(`${product.url}/api/treasury/balance`);
    return ((await answer.json()) as { data: { asOf: string } }).data.asOf;
  };
  try {
    await until('the treasury was read', async () => (await fetch(`${product.url}/api/treasury/balance`)).ok, 60_000);
    const cookie = (await logIn()).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const answerTo = async (asked: Promise<Response>) => {
      const startedAtMs = performance.now();
      const answer = await asked;
      const { code } = (await answer.json()) as { code?: string };
      return { status: answer.status, code, isInTime: performance.now() - startedAtMs < longestMs };
    };
    const asAdmin = (path: string, method = 'GET') => fetch(product.url + path, { method, headers: { cookie } });

    line.silence();
    const unavailable = { status: 503, code: 'database-unavailable', isInTime: true };
    const calls = Array.from({ length: 20 }, () => [
      answerTo(asAdmin('/api/audit')),
      answerTo(asAdmin('/api/telegram/init', 'POST')),
      answerTo(asAdmin(`/api/verify/${'A'.repeat(43)}`)),
      answerTo(logIn()),
    ]).flat();
    for (const path of ['/', '/nft', '/rockfolio', '/privacy'])
      expect((await page.goto(product.url + path))?.status()).toBe(200);
    await page.goto(`${product.url}/rockfolio`);
    await expect(page.getByRole('group', { name: 'Total Value' })).not.toContainText('Sample figure');
    expect((await fetch(`${product.url}/readyz`)).status).toBe(503);
    expect(new Set((await Promise.all(calls)).map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify(unavailable)]),
    );

    const before = await asOf();
    await line.mend();
    await until('the product is ready', async () => (await fetch(`${product.url}/readyz`)).ok, 20_000);
    await until('the session is valid again', async () => (await asAdmin('/api/audit')).ok, 20_000);
    expect((await logIn()).status).toBe(200);
    await until('the treasury is read again', async () => (await asOf()) > before, 30_000);
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity where application_name like 'product %'`,
    );
    expect(rows[0]?.count).toBeLessThanOrEqual(2 * 11);
    expect(product.process.output()).not.toMatch(/unhandled|"level":60/i);
    // The browser reports each failed request by itself.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('503')));
  } finally {
    await pool.end();
    await world.end();
  }
});
