import { startDiscordCopy } from './discord-copy.ts';

/** A copy in its own process, for tests that kill it. The argument is its options, as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as Omit<Parameters<typeof startDiscordCopy>[0], 'write'>;
const copy = await startDiscordCopy({ ...options, write: (line) => void process.stderr.write(line) });
process.stdout.write(`${copy.app.port}\n`);
