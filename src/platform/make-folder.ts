import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes the folder and what is missing above it, step by step: Node's own recursive mkdir never ends on a pseudo file
 * system such as /proc, where a parent exists and still nothing can be made. Throws the file system's error.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const absolute = path.resolve(folder);
  if (await isFolder(absolute)) return;
  const parent = path.dirname(absolute);
  if (parent !== absolute) await makeFolder(parent, mode);
  try {
    await mkdir(absolute, { mode });
  } catch (error) {
    // Another start may have been quicker.
    if (!(await isFolder(absolute))) throw error;
  }
}

const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
