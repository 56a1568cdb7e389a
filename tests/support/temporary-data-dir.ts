import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface TemporaryDataDir {
  readonly path: string;
  /** It is in memory and never written to a disk. */
  readonly isInMemory: boolean;
  /** Stops a PostgreSQL that still runs there and removes everything. */
  readonly remove: () => Promise<void>;
}

/**
 * Waits until its input closes, which also happens when this process is killed. Also kills a product that was left behind: it would keep
 * running on an empty folder.
 */
const cleaner = `read -r _
pid=$(head -n 1 "$1/postgres/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ] && [ "$pid" != "$2" ]; then
  parent=$(ps -o ppid= -p "$pid" 2>/dev/null | tr -d ' ')
  case "$(ps -o args= -p "\${parent:-0}" 2>/dev/null)" in
    *src/start.ts*|*src/main.ts*) kill -KILL "$parent" 2>/dev/null ;;
  esac
  kill -QUIT "$pid" 2>/dev/null
  while [ -e "$1/postgres/postmaster.pid" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
fi
for _ in 1 2 3 4 5 6 7 8; do rm -rf "$1" 2>/dev/null && exit 0; sleep 0.25; done`;

/** Linux's in-memory folder. Containers often have one of only a few megabytes, which is too small. */
const memoryFolder = '/dev/shm';
const tmpfsType = 0x0102_1994;
const roomMinBytes = 1024 ** 3;

/** A run creates and drops hundreds of databases: in memory each costs a fraction of the time on disk. */
async function hasRoomyMemory(): Promise<boolean> {
  const { type, bavail, bsize } = await statfs(memoryFolder).catch(() => ({ type: 0, bavail: 0, bsize: 0 }));
  return type === tmpfsType && bavail * bsize >= roomMinBytes;
}

/**
 * A `DATA_DIR` for tests that is removed with this process, however that ends, and its PostgreSQL with it; in memory, if there is
 * enough. `disk` is for measurements, which need a disk.
 */
export async function temporaryDataDir(where: 'disk' | 'memory' = 'memory'): Promise<TemporaryDataDir> {
  const isInMemory = where === 'memory' && (await hasRoomyMemory());
  const folder = await mkdtemp(path.join(isInMemory ? memoryFolder : os.tmpdir(), 'sui-rocks-test-'));
  const args = ['-c', cleaner, 'cleaner', folder, String(process.pid)];
  const child = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  const remove = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.ref();
    child.stdin.end();
    await exited;
  };
  return { path: folder, isInMemory, remove };
}
