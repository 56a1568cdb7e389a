import { startTelegramCopy } from './telegram-copy.ts';

/** A copy in its own process, for tests that kill it. The argument is its options, as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as Omit<Parameters<typeof startTelegramCopy>[0], 'write'>;
const copy = await startTelegramCopy({ ...options, write: (line) => void process.stderr.write(line) });
process.stdout.write(`${copy.app.port}\n`);
