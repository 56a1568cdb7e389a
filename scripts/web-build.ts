import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import type { Group } from './run-together.ts';

const sources = ['src', 'artwork', 'vite.config.ts', 'scripts', 'package-lock.json'];
/** Parts of src that no page contains. */
const serverOnly =
  /^src\/(http|sources|db|jobs|process|retention|bot-service|owner-alarm)\/|^src\/(main|start|config)\.ts$|\.(test\.tsx?|sql)$/;

/** Whether a change of this file (relative to the repository) changes what a browser gets. */
export function isWebSource(file: string): boolean {
  return !serverOnly.test(file.replaceAll(path.sep, '/'));
}

/** True when the built pages are missing or older than a file they are made of. */
export async function isWebStale(): Promise<boolean> {
  const pages = (await listFiles('dist/pages')).filter((file) => file.endsWith('.html'));
  if (pages.length === 0) return true;
  const inputs = (await Promise.all(sources.map(listFiles))).flat().filter(isWebSource);
  const [builtAt, changedAt] = await Promise.all([changeTimes(pages), changeTimes(inputs)]);
  return Math.min(...builtAt) < Math.max(...changedAt);
}

/** Runs the build; rejects when it fails. */
export async function buildWeb(group: Group, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const lines: string[] = [];
  const build = group.startTask({
    name: 'The build',
    args: ['scripts/build.ts'],
    env,
    onLine: (line) => lines.push(line),
  });
  const reason = await build.ended;
  if (reason === 'exit code 0') return;
  console.error(lines.slice(-30).join('\n'));
  throw new Error(`The site could not be built (${reason}).`);
}

/** The file itself, or all files below a folder; empty if it does not exist. */
async function listFiles(place: string): Promise<readonly string[]> {
  const found = await stat(place).catch(() => null);
  if (found === null) return [];
  if (!found.isDirectory()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

async function changeTimes(files: readonly string[]): Promise<readonly number[]> {
  return Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
}
