import { statfs } from 'node:fs/promises';

export type FailureReason =
  | 'data-dir-held'
  | 'data-dir-unwritable'
  | 'data-dir-other-major'
  | 'data-dir-foreign'
  | 'disk-full'
  | 'postgres-missing'
  | 'postgres-needs-user'
  | 'postgres-start-failed'
  | 'socket-folder-unsafe';

/** Why there is no server; the message is a sentence that says what to do, the cause is the error or output of whatever failed. */
export class PostgresFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.name = 'PostgresFailure';
  }
}

const mebibyte = 1024 * 1024;
/** Below this much free space PostgreSQL cannot even write its next log segment. */
const fullDiskBytes = 16 * mebibyte;

interface Explanation {
  readonly pattern: RegExp;
  readonly reason: FailureReason;
  readonly sentence: (dataDir: string, said: string) => string;
}

function unwritableSentence(dataDir: string, said: string): string {
  if (/ENOTDIR|EEXIST/.test(said))
    return `The data folder ${dataDir} is a file, or has one in its path: name a folder.`;
  return `The data folder ${dataDir} cannot be written: give this user the right to write there, or use another folder.`;
}

const brokenSentence =
  'The built-in PostgreSQL cannot run on this machine: run "npm rebuild" once (npm may have skipped its install script).';

export const brokenBinaries = (): PostgresFailure => new PostgresFailure('postgres-missing', brokenSentence);

export const unwritable = (dataDir: string, cause: unknown): PostgresFailure =>
  new PostgresFailure('data-dir-unwritable', unwritableSentence(dataDir, String(cause)), cause);

const explanations: readonly Explanation[] = [
  {
    pattern: /no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i,
    reason: 'disk-full',
    sentence: (dataDir) => `The disk of the data folder ${dataDir} is full: free some space and start again.`,
  },
  {
    pattern: /permission denied|read-only file system|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|wrong ownership/i,
    reason: 'data-dir-unwritable',
    sentence: unwritableSentence,
  },
  {
    pattern: /error while loading shared libraries|library not loaded|exec format error|ENOENT/i,
    reason: 'postgres-missing',
    sentence: () => brokenSentence,
  },
];

/** One sentence that says what to do, from an error of the server, initdb or the file system, which stays as the cause. */
export async function explainStartupFailure(error: unknown, dataDir: string): Promise<PostgresFailure> {
  if (error instanceof PostgresFailure) return error;
  const text = error instanceof Error ? `${errorCode(error)} ${error.message}` : String(error);
  const cause = error instanceof Error ? error : new Error(text.trim() || 'no output');
  const known = explanations.find(({ pattern }) => pattern.test(text));
  const fitting = known ?? ((await isDiskFull(dataDir)) ? explanations[0] : undefined);
  if (fitting !== undefined) return new PostgresFailure(fitting.reason, fitting.sentence(dataDir, text), cause);
  return new PostgresFailure(
    'postgres-start-failed',
    `The built-in PostgreSQL did not start: ${lastErrorLine(text)} (its log is ${dataDir}/postgres.log).`,
    cause,
  );
}

function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

async function isDiskFull(dataDir: string): Promise<boolean> {
  const space = await statfs(dataDir).catch(() => null);
  return space !== null && space.bavail * space.bsize < fullDiskBytes;
}

function lastErrorLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const errorLine = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it printed nothing';
  return errorLine.replace(/^.*?(FATAL|PANIC|error):\s*/, '').slice(0, 300);
}
