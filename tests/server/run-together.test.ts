import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

import { until } from '../support/until.ts';

const runTogether = new URL('../../scripts/run-together.ts', import.meta.url).href;
const childScript = 'console.log(process.pid); setInterval(() => {}, 1000)';

/** A demo with one child, whose process id it prints before it runs `goesOn`. */
async function startDemo(goesOn: string) {
  const script = `
    import { createWriteStream } from 'node:fs';
    import { runTogether } from '${runTogether}';
    await runTogether(async ({ start }) => {
      const onLine = (line) => { console.log(line); ${goesOn} };
      start({ name: 'The child', args: ['-e', ${JSON.stringify(childScript)}], env: process.env, onLine });
    });`;
  const demo = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(demo.stdout);
  let childPid = 0;
  for await (const line of lines) {
    childPid = Number(line);
    if (childPid > 0) break;
  }
  return { demo, childPid };
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function endOf({ demo, childPid }: Awaited<ReturnType<typeof startDemo>>) {
  const exitCode = demo.exitCode ?? ((await once(demo, 'exit')) as [number | null])[0];
  const isLeft = isRunning(childPid);
  if (isLeft) process.kill(childPid);
  return { exitCode, isLeft };
}

test('a demo whose output is no longer read leaves nothing running', async () => {
  const started = await startDemo("setInterval(() => console.log('more'), 20)");
  expect(isRunning(started.childPid)).toBe(true);
  started.demo.stdout.destroy();
  expect(await endOf(started)).toEqual({ exitCode: 0, isLeft: false });
});

test('a demo whose own log cannot be written leaves nothing running', async () => {
  const started = await startDemo("createWriteStream('/dev/full').write('line')");
  expect(await endOf(started)).toEqual({ exitCode: 1, isLeft: false });
});

test('a demo ends its product first, which would take the end of the sandbox for an outage', async () => {
  const child = (name: string, takesMs: number): string => `
    process.on('SIGTERM', () => setTimeout(() => (console.log('${name} ended'), process.exit()), ${takesMs}));
    setInterval(() => {}, 1000);
    console.log('started');`;
  const script = `
    import { runTogether } from '${runTogether}';
    await runTogether(async ({ start }) => {
      const onLine = (line) => console.log(line);
      start({ name: 'The sandbox', args: ['-e', ${JSON.stringify(child('sandbox', 0))}], env: process.env, onLine });
      start({ name: 'The product', args: ['-e', ${JSON.stringify(child('product', 300))}], env: process.env, onLine });
    });`;
  const demo = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  for await (const line of createInterface(demo.stdout)) {
    lines.push(line);
    if (lines.length === 2) demo.kill('SIGTERM');
  }
  expect(lines).toEqual(['started', 'started', 'product ended', 'sandbox ended']);
});

test.each([
  ['--help', 0, /^Usage: \[--data-dir/],
  ['--nope', 1, /^Unknown option '--nope'.*\nUsage: \[--data-dir/],
])('a demo that is given %s says what it takes, and starts nothing', async (option, exitCode, says) => {
  const demo = spawn(process.execPath, ['scripts/demo.ts', option]);
  let said = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  expect((await once(demo, 'close'))[0]).toBe(exitCode);
  expect(said).toMatch(says);
});

test('a build that is broken off leaves no folder behind', async () => {
  const build = spawn(process.execPath, ['scripts/build.ts'], { stdio: 'ignore' });
  const folderExists = async () => (await stat(`.cache/build-${build.pid}`).catch(() => null)) !== null;
  await until('the folder is there', folderExists);
  build.kill('SIGINT');
  await once(build, 'close');
  expect(await folderExists()).toBe(false);
});
