import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

const runTogether = new URL('../../scripts/run-together.ts', import.meta.url).href;
const childScript = 'console.log(process.pid); setInterval(() => {}, 1000)';
const demoScript = `
  import { runTogether } from '${runTogether}';
  await runTogether(async ({ start }) => {
    start({ name: 'The child', args: ['-e', ${JSON.stringify(childScript)}], env: process.env, onLine: console.log });
    setInterval(() => console.log('more'), 20);
  });`;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('whoever stops reading what a demo writes leaves nothing running', async () => {
  const demo = spawn(process.execPath, ['--input-type=module', '-e', demoScript], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(demo.stdout);
  let childPid = 0;
  for await (const line of lines) {
    childPid = Number(line);
    if (childPid > 0) break;
  }
  expect(isRunning(childPid)).toBe(true);
  demo.stdout.destroy();
  const [exitCode] = (await once(demo, 'exit')) as [number | null];
  const isLeft = isRunning(childPid);
  if (isLeft) process.kill(childPid);
  expect({ exitCode, isLeft }).toEqual({ exitCode: 0, isLeft: false });
});
