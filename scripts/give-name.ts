import { link, open, rename, rm } from 'node:fs/promises';

/** What exFAT, network shares and user-space file systems answer to link(2). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Gives a complete file its name; the draft's name may remain as well. If the name is taken, throws EEXIST and overwrites nothing.
 * Tests pass another `linkFile`.
 */
export async function giveName(draft: string, file: string, linkFile: typeof link = link): Promise<void> {
  try {
    await linkFile(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && noLinks.has(String(error.code)))) throw error;
    await takeName(draft, file);
  }
}

/** rename(2) overwrites, so an empty file reserves the name first. */
async function takeName(draft: string, file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
  try {
    await rename(draft, file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
