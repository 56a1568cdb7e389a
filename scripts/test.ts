import { spawn } from 'node:child_process';
import { ensureTestBrowser } from './chromium.ts';

/**
 * `npm test`: all checks before a change lands, cheapest first. Steps of one stage run in parallel; a stage that fails is the last.
 */
type Step = readonly [name: string, ...command: string[]];

const stages: readonly (readonly Step[])[] = [
  [
    ['types', 'tsc', '-b'],
    ['lint', 'npm', 'run', '--silent', 'check:lint'],
    ['import rules', 'node', 'scripts/check-imports.ts'],
    ['unused code', 'knip'],
    ['formatting', 'prettier', '--check', '--log-level', 'warn', '.'],
    ['build', 'node', 'scripts/build.ts'],
  ],
  [['unit, contract and server tests', 'vitest', 'run']],
  [['browser tests', 'playwright', 'test']],
];

const secondsSince = (startedAtMs: number): string => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;

/** Whether it passed. A step that runs alone prints as it goes; parallel steps print everything when they end. */
const run = async (
  [name, command = '', ...args]: Step,
  { isAlone }: { readonly isAlone: boolean },
): Promise<boolean> => {
  const startedAtMs = Date.now();
  if (isAlone) console.log(`\n── ${name}`);
  const child = spawn(command, args, { stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const failure = await new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
  if (!isAlone) process.stdout.write(`\n── ${name}\n${output}`);
  console.log(failure === null ? `── ${name}: ${secondsSince(startedAtMs)}` : `\n${name} failed (${failure})`);
  return failure === null;
};

const startedAtMs = Date.now();
process.env['CHROME_PATH'] = ensureTestBrowser();

for (const stage of stages) {
  const passed = await Promise.all(stage.map((step) => run(step, { isAlone: stage.length === 1 })));
  if (passed.includes(false)) {
    console.error(`\nFailed after ${secondsSince(startedAtMs)}`);
    process.exit(1);
  }
}
console.log(`\nAll ${stages.flat().length} steps passed in ${secondsSince(startedAtMs)}`);
