import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { Unavailable } from '../shared/failure.ts';
import type { RunAs } from './run-as.ts';

/** A Unix socket's whole path: sockaddr_un holds 108 bytes with the closing zero on Linux, 104 on macOS. */
const longestSocketPath = 103;
const socketName = '.s.PGSQL.5432';

/** Short, the same at every start of one data folder, and outside it, because that path may be of any length. */
export async function socketFolderOf(dataDir: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 12);
  const name = `sui-rocks-${digest}`;
  const preferred = path.join(os.tmpdir(), name);
  return path.join(preferred, socketName).length <= longestSocketPath ? preferred : path.join('/tmp', name);
}

/** Makes the folder for its owner alone. Throws Unavailable when somebody else was there first: trust rests on it. */
export async function prepareSocketFolder(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const ownUid = process.getuid?.() ?? 0;
  const allowedUid = runAs.kind === 'user' ? runAs.uid : ownUid;
  const found = await lstat(folder);
  const owned = found.uid === ownUid || found.uid === allowedUid;
  if (!found.isDirectory() || !owned || (found.mode & 0o077) !== 0) {
    throw new Unavailable(
      'socket-folder-unsafe',
      `${folder} must be a folder that only its owner may enter: remove it and start again.`,
    );
  }
  if (runAs.kind === 'user' && found.uid !== runAs.uid) await chown(folder, runAs.uid, runAs.gid);
}
