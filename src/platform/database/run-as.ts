import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';

import { Unavailable } from '../../shared/failure.ts';

/**
 * PostgreSQL refuses to run as root. How its programs are started instead:
 * `direct`: we are an ordinary user. `namespace`: root seen as user 1000 in a user namespace, files stay root's.
 * `user`: as the ordinary user `uid`, who then owns the files.
 */
export type RunAs =
  | { readonly kind: 'direct' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

const rootUid = 0;
/** `nobody` on every Linux: the last resort where user namespaces are forbidden, as inside most containers. */
const nobodyId = 65_534;
const namespaceArgs = ['--user', '--map-user=1000', '--map-group=1000'];

/** The command line that runs `program` in that way. unshare replaces itself, so the pid is the program's own. */
export function launch(runAs: RunAs, program: string, args: readonly string[]): Launch {
  if (runAs.kind === 'namespace') return { file: 'unshare', args: [...namespaceArgs, program, ...args], identity: {} };
  const identity = runAs.kind === 'user' ? { uid: runAs.uid, gid: runAs.gid } : {};
  return { file: program, args, identity };
}

/**
 * The first way that works here. An existing data folder decides by its owner, because the server insists on owning it.
 * Throws Unavailable `postgres-needs-user` when root has no way out.
 */
export async function chooseRunAs(postgres: string, dataDir: string, clusterDir: string): Promise<RunAs> {
  if (process.getuid?.() !== rootUid) return { kind: 'direct' };
  const owner = await stat(path.join(clusterDir, 'PG_VERSION')).catch(() => null);
  for (const candidate of await candidates(postgres, owner)) {
    if (await canRun(candidate, postgres, dataDir)) return candidate;
  }
  throw new Unavailable(
    'postgres-needs-user',
    'PostgreSQL does not run as root and this machine forbids user namespaces: ' +
      'start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

async function candidates(
  postgres: string,
  clusterOwner: { readonly uid: number; readonly gid: number } | null,
): Promise<readonly RunAs[]> {
  if (clusterOwner !== null) {
    const { uid, gid } = clusterOwner;
    return uid === rootUid ? [{ kind: 'namespace' }] : [{ kind: 'user', uid, gid }];
  }
  const { uid, gid } = await stat(postgres);
  const binariesOwner: readonly RunAs[] = uid === rootUid ? [] : [{ kind: 'user', uid, gid }];
  return [{ kind: 'namespace' }, ...binariesOwner, { kind: 'user', uid: nobodyId, gid: nobodyId }];
}

/** Started in the data folder, so that a folder the other identity cannot reach counts as a failure too. */
function canRun(runAs: RunAs, postgres: string, dataDir: string): Promise<boolean> {
  const { file, args, identity } = launch(runAs, postgres, ['--version']);
  return new Promise((resolve) => {
    execFile(file, [...args], { ...identity, cwd: dataDir, timeout: 5_000 }, (error) => resolve(error === null));
  });
}
