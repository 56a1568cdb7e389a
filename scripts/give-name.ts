import { link, open, rename, rm } from 'node:fs/promises';

/** What exFAT, network shares and file systems of user space answer when asked for a second name of a file (link(2)). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Gives a whole file its name; its draft's name may stay beside it. Throws EEXIST, and leaves what is there, where the name is
 * taken. `linkFile` is the file system's.
 */
export async function giveName(draft: string, file: string, linkFile: typeof link = link): Promise<void> {
  try {
    await linkFile(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && noLinks.has(String(error.code)))) throw error;
    await takeName(draft, file);
  }
}

/** A rename overwrites: the name is taken first by an empty file, so that no other file is overwritten. */
async function takeName(draft: string, file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
  try {
    await rename(draft, file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
