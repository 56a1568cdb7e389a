import { startDiscordCopy } from './discord-copy.ts';

/** A copy as a process of its own, for tests that kill it. Its argument is what it is to be made of, as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as Omit<Parameters<typeof startDiscordCopy>[0], 'write'>;
const copy = await startDiscordCopy({ ...options, write: (line) => void process.stderr.write(line) });
process.stdout.write(`${copy.app.port}\n`);
