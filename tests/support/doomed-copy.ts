import { fileURLToPath } from 'node:url';

import { type Child, startChild } from './child.ts';
import type { CopyOptions } from './telegram-copy.ts';
import type { TelegramWorld } from './telegram-world.ts';

const copyScript = fileURLToPath(new URL('telegram-copy-process.ts', import.meta.url));

/** A copy in its own process, running the bot at the pace of production unless another is given. */
export async function startDoomed({ sandbox, database }: TelegramWorld, pace?: CopyOptions['pace']): Promise<Child> {
  const { urls, facts } = sandbox;
  const options = { databaseUrl: database.url, urls, facts, name: 'doomed', pace };
  const doomed = startChild(copyScript, [JSON.stringify(options)], {});
  const started = await fetch(`http://127.0.0.1:${await doomed.firstLine()}/api/telegram/init`, { method: 'POST' });
  if (started.status !== 200) throw new Error(`init answered ${started.status}`);
  return doomed;
}
