import { startTelegramCopy } from './telegram-copy.ts';

/** A copy as a process of its own, for tests that kill it. Its argument is what it is to be made of, as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as Omit<Parameters<typeof startTelegramCopy>[0], 'write'>;
const copy = await startTelegramCopy({ ...options, write: (line) => void process.stderr.write(line) });
process.stdout.write(`${copy.app.port}\n`);
