import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.ts';

/** `npm test`: everything that must hold before a change lands, cheapest first; stops at the first step that fails. */
const steps: readonly (readonly [name: string, ...command: string[]])[] = [
  ['types', 'tsc', '-b'],
  ['lint', 'npm', 'run', '--silent', 'check:lint'],
  ['import rules', 'node', 'scripts/check-imports.ts'],
  ['unused code', 'knip'],
  ['formatting', 'prettier', '--check', '--log-level', 'warn', '.'],
  ['build', 'node', 'scripts/build.ts'],
  ['unit, contract and server tests', 'vitest', 'run'],
  ['browser tests', 'playwright', 'test'],
];

const secondsSince = (startedAtMs: number): string => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;
const startedAtMs = Date.now();
process.env['CHROME_PATH'] = ensureChromium();

for (const [name, command = '', ...args] of steps) {
  const stepStartedAtMs = Date.now();
  console.log(`\n── ${name}`);
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${name} failed (${signal ?? `exit code ${status}`}) after ${secondsSince(startedAtMs)}`);
    process.exit(status ?? 1);
  }
  console.log(`── ${name}: ${secondsSince(stepStartedAtMs)}`);
}
console.log(`\nAll ${steps.length} steps passed in ${secondsSince(startedAtMs)}`);
