import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { Invalid } from '../src/shared/failure.ts';

/** At a terminal asks twice, without echo; otherwise reads the first line of stdin. Throws Invalid. */
export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const password = await askUnseen('Password: ');
  if ((await askUnseen('Again: ')) === password) return password;
  throw new Invalid('passwords-differ', 'The two passwords are not the same: nothing was changed.');
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new Invalid('no-password', 'No password was received: pipe it in as one line.');
}

/** The terminal's line editor with its echo sent nowhere. */
async function askUnseen(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const given = new AbortController();
  lines.on('SIGINT', () => given.abort());
  lines.on('close', () => given.abort());
  process.stderr.write(question);
  try {
    return await lines.question('', { signal: given.signal });
  } catch {
    throw new Invalid('no-password', 'No password was given: nothing was changed.');
  } finally {
    process.stderr.write('\n');
    lines.close();
  }
}
