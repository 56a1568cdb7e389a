import { startEmbeddedPostgres } from '../src/embedded-postgres.ts';

/**
 * A process that holds the data folder of its first argument until it is told to end, as a program does.
 * Prints one line of JSON: what it got, or why not (then it exits with 1).
 */
const silentLog = { info: () => {}, warn: () => {}, error: () => {} };
const [dataDir = ''] = process.argv.slice(2);
try {
  const { url, pid, stop } = await startEmbeddedPostgres({ name: 'stones', dataDir, log: silentLog });
  process.once('SIGTERM', () => void stop());
  process.stdout.write(`${JSON.stringify({ url, serverPid: pid() })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failure: error instanceof Error ? error.message : String(error) })}\n`);
  process.exitCode = 1;
}
