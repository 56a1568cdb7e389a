import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { treasuryPerson } from './wallets/people.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

test('npm run sandbox prints one JSON line first and ends cleanly on SIGTERM', async () => {
  const child = spawn(process.execPath, [
    main,
    '--living-market',
    '--treasury-coin-types',
    '30',
    '--treasury',
    'multisig',
  ]);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { urls, facts } = JSON.parse(line) as { urls: Record<string, string>; facts: Record<string, string> };
  expect(Object.keys(urls).toSorted()).toEqual([
    'archive',
    'console',
    'discord',
    'market',
    'prices',
    'pricesFallback',
    'sui',
    'telegram',
    'walletBrowser',
  ]);
  expect(urls.market).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/graphql$/);
  expect(facts).toMatchObject({ network: 'mainnet', marketUser: 'sandbox' });
  expect(facts.treasuryAddress).toBe(treasuryPerson('multisig').address);
  expect((await fetch(urls.console!)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a wrong option value is reported with the usage', async () => {
  const child = spawn(process.execPath, [main, '--port-console', 'nine']);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toContain("--port-console takes a whole number, not 'nine'");
});

test('--help is the usage, and starts nothing', async () => {
  const child = spawn(process.execPath, [main, '--help']);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(said).toMatch(/^Options: --living-market/);
});
