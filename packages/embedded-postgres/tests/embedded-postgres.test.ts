import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/embedded-postgres.ts';
import { isAlive } from '../src/postmaster.ts';

const silentLog = { info: () => {}, warn: () => {}, error: () => {} };

interface HolderAnswer {
  readonly url: string;
  readonly serverPid: number;
  readonly failure?: string;
}

const holderScript = fileURLToPath(new URL('./holder-process.ts', import.meta.url));
const within = { timeout: 15_000, interval: 20 };

let dataDir = '';
let started: EmbeddedPostgres[] = [];
let holders: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'embedded-postgres-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const holder of holders) await end(holder, 'SIGTERM');
  for (const postgres of started) await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  holders = [];
  started = [];
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ name: 'stones', dataDir: folder, log: silentLog });
  started.push(postgres);
  return postgres;
}

async function startHolder(): Promise<{ child: ChildProcess; answer: HolderAnswer }> {
  const child = spawn(process.execPath, [holderScript, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, answer: JSON.parse(line) as HolderAnswer };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function ask<Row>(url: string, query: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(query)).rows as Row[];
  } finally {
    await client.end();
  }
}

describe('PostgreSQL in a data folder', () => {
  test('What was stored is there after a stop and a second start', async () => {
    const first = await start();
    await ask(first.url, 'create table kept as select 555 as pieces');
    const firstPid = first.pid();
    await first.stop();
    const second = await start();
    expect(second.pid()).not.toBe(firstPid);
    expect(await ask(second.url, 'select pieces from kept')).toEqual([{ pieces: 555 }]);
  });

  test('The variables of another server, which psql reads and so does the driver, change nothing', async () => {
    vi.stubEnv('PGPORT', '5433');
    vi.stubEnv('PGSSLMODE', 'require');
    const { url } = await start();
    expect(await ask(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  test('Data is durable, sorted alike everywhere, and reachable by the owner alone', async () => {
    const { url } = await start();
    const settings = await ask(
      url,
      `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'listen_addresses', 'server_encoding') order by name`,
    );
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'server_encoding', setting: 'UTF8' },
    ]);
    expect(await ask(url, `select lower('ÄÉ') as lower, 'Z' < 'a' as by_code_point`)).toEqual([
      { lower: 'äé', by_code_point: true },
    ]);
    const socketDir = new URL(url).searchParams.get('host') ?? '';
    expect((await stat(socketDir)).mode & 0o777).toBe(0o700);
  });

  test('What an interrupted first start left is removed by a later one', async () => {
    const left = path.join(dataDir, 'postgres.new-1-aa');
    await (await start()).stop();
    await mkdir(left);
    await utimes(left, 0, 0);
    await start();
    expect(await readdir(dataDir)).not.toContain('postgres.new-1-aa');
  });

  test('A stop leaves no process and no socket behind', async () => {
    const postgres = await start();
    const pid = postgres.pid();
    await postgres.stop();
    expect(isAlive(pid)).toBe(false);
    await expect(stat(new URL(postgres.url).searchParams.get('host') ?? '')).rejects.toThrow('ENOENT');
    expect(await readdir(path.join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
  });
});

describe('A second start on the same folder', () => {
  test('It says who holds it and since when, and leaves the first copy alone', async () => {
    const postgres = await start();
    const { child, answer } = await startHolder();
    expect(answer.failure).toMatch(
      new RegExp(
        `^The data folder ${dataDir} is in use by process ${process.pid} since \\d{4}-\\d\\d-\\d\\dT[^ ]+Z: stop that one first`,
      ),
    );
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(1);
    expect(await ask(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  test('Since when is the start of that process, not of its connection after a crash of the server', async () => {
    const { answer } = await startHolder();
    process.kill(answer.serverPid, 'SIGKILL');
    const crashedAt = new Date();
    await vi.waitFor(async () => expect(await ask(answer.url, 'select 1 as alive')).toEqual([{ alive: 1 }]), within);
    const refusal = await start().then(() => '', String);
    const since = /since (\S+Z):/.exec(refusal)?.[1] ?? '';
    expect(Date.parse(since)).toBeLessThan(crashedAt.getTime());
  });

  test('Of two first starts at once one gets the folder and the other is told', async () => {
    const answers = (await Promise.all([startHolder(), startHolder()])).map(
      ({ answer }) => answer.failure ?? 'holds it',
    );
    expect(answers.sort()).toEqual([expect.stringMatching(/is in use by process \d+ since/), 'holds it']);
  });

  test('After a kill -9 it adopts the server that still runs and carries on', async () => {
    const { child, answer } = await startHolder();
    await ask(answer.url, 'create table kept as select 1 as row');
    await end(child, 'SIGKILL');
    const postgres = await start();
    expect(postgres.url).toBe(answer.url);
    expect(postgres.pid()).toBe(answer.serverPid);
    expect(await ask(postgres.url, 'select * from kept')).toEqual([{ row: 1 }]);
    await postgres.stop();
    await vi.waitFor(() => expect(isAlive(answer.serverPid)).toBe(false), within);
  });

  test('After a kill -9 of program and server together it repairs the data from the log', async () => {
    const { child, answer } = await startHolder();
    await ask(answer.url, 'create table kept as select 1 as row');
    await end(child, 'SIGKILL');
    process.kill(answer.serverPid, 'SIGKILL');
    const postgres = await start();
    expect(postgres.pid()).not.toBe(answer.serverPid);
    expect(await ask(postgres.url, 'select * from kept')).toEqual([{ row: 1 }]);
  });

  test('A pid file left by a crash does not stop it, even when a stranger has that number now', async () => {
    const first = await start();
    await first.stop();
    const stranger = spawn('sleep', ['600']);
    const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${stranger.pid}\n${dataDir}/postgres\n1\n5432\n/tmp\n\n  0 0\nready   \n`);
    const second = await start().finally(() => stranger.kill());
    expect(second.pid()).not.toBe(stranger.pid);
    expect((await readFile(pidFile, 'utf8')).split('\n')[0]).toBe(String(second.pid()));
  });
});

describe('A server that ends while the program runs', () => {
  test('It is started again at the same address with everything that was committed', async () => {
    const postgres = await start();
    await ask(postgres.url, 'create table kept as select 1 as row');
    const crashed = postgres.pid();
    process.kill(crashed, 'SIGKILL');
    await vi.waitFor(async () => expect(await ask(postgres.url, 'select * from kept')).toEqual([{ row: 1 }]), within);
    await vi.waitFor(() => expect(postgres.pid()).not.toBe(crashed), within);
  });
});

describe('A folder that cannot be used: one sentence, nothing damaged', () => {
  test('It is a file, or lies below one', async () => {
    const file = path.join(dataDir, 'a-file');
    await writeFile(file, '');
    for (const place of [file, path.join(file, 'data')]) {
      await expect(start(place)).rejects.toMatchObject({
        reason: 'data-dir-unwritable',
        message: `The data folder ${place} is a file, or has one in its path: name a folder.`,
      });
    }
  });

  // Node's recursive mkdir never comes back from there. Elsewhere than on Linux there is no /proc, and it may not be made either.
  test('It lies where nothing can be made', async () => {
    await expect(start('/proc/no-such-folder/data')).rejects.toMatchObject({ reason: 'data-dir-unwritable' });
  });

  test('It was made by another PostgreSQL', async () => {
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toMatchObject({
      reason: 'data-dir-other-major',
      message: expect.stringContaining('was made by PostgreSQL 15 and this program brings 18'),
    });
    expect(await readdir(path.join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  test('It holds something else', async () => {
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', 'letters.txt'), 'dear');
    await expect(start()).rejects.toMatchObject({ reason: 'data-dir-foreign' });
    expect(await readdir(path.join(dataDir, 'postgres'))).toEqual(['letters.txt']);
  });

  test('Somebody else could enter the folder of the socket', async () => {
    const first = await start();
    const socketDir = new URL(first.url).searchParams.get('host') ?? '';
    await first.stop();
    await mkdir(socketDir);
    await chmod(socketDir, 0o777);
    await expect(start()).rejects.toMatchObject({ reason: 'socket-folder-unsafe' });
    await rm(socketDir, { recursive: true });
  });
});
