import { watch } from 'node:fs';
import path from 'node:path';

import type { Child } from './child.ts';
import { demoArguments, keptAdminPassword } from './demo-folder.ts';
import { productEnvironment, startOutsideWorld } from './outside-world.ts';
import { runTogether, type Group } from './run-together.ts';
import { portTaken, siteAddress } from './site-address.ts';
import { buildWeb, isWebSource, isWebStale } from './web-build.ts';

/**
 * `npm run dev`: the demo, but a change under src, artwork or migrations restarts the product within a second, after rebuilding
 * the site if the file is part of a page. After a failed build or start it waits for the next change.
 */
process.chdir(path.join(import.meta.dirname, '..'));
const { dataDir, isMultisig } = demoArguments('data/dev');
const site = siteAddress();
const watched = ['src', 'artwork', 'migrations'];
/** Saving a file in an editor causes several events. */
const settleMs = 150;

await runTogether(async (group) => {
  const taken = await portTaken(site);
  if (taken !== null) return group.fail(taken);
  const password = await keptAdminPassword(dataDir);
  const world = await startOutsideWorld(group, { env: process.env, siteUrl: site.publicUrl, isMultisig });
  const env = productEnvironment(process.env, world, dataDir, password);
  const product = restartable(group, env);
  console.log(
    `Site ${site.publicUrl}/   sandbox ${world.urls.console}/   chats ${world.urls.console}/chat   servers ${world.urls.console}/discord   admin name admin, password ${password}\n`,
  );
  if (await isWebStale()) await tryBuild(group);
  await product.restart();
  onChange(async (files) => {
    if (files.some(isWebSource)) await tryBuild(group);
    await product.restart();
  }, group);
});

function restartable(group: Group, env: Readonly<Record<string, string | undefined>>) {
  const args = ['src/main.ts'];
  let running: Child | null = null;
  return {
    restart: async (): Promise<void> => {
      await running?.stop();
      const child = group.startTask({ name: 'The product', args, env, onLine: (line) => console.log(line), dataDir });
      running = child;
      void child.ended.then((reason) => console.log(`The product ended (${reason}).`));
    },
  };
}

async function tryBuild(group: Group): Promise<void> {
  console.log('Building the site …');
  await buildWeb(group, process.env).catch((error: Error) => console.error(error.message));
}

/** Calls `act` with the changed files once they settle, one call at a time; changes made meanwhile go to the next call. */
function onChange(act: (files: readonly string[]) => Promise<void>, group: Group): void {
  const changed = new Set<string>();
  let isActing = false;
  let timer: NodeJS.Timeout | undefined;
  const handOver = async (): Promise<void> => {
    if (isActing) return;
    isActing = true;
    while (changed.size > 0) {
      const files = [...changed];
      changed.clear();
      await act(files);
    }
    isActing = false;
  };
  for (const folder of watched) {
    watch(folder, { recursive: true }, (_event, name) => {
      if (name === null || /\.test\.tsx?$|~$|\/\./.test(name)) return;
      changed.add(path.join(folder, name));
      clearTimeout(timer);
      timer = setTimeout(() => void handOver().catch((error: unknown) => group.fail(String(error))), settleMs);
    });
  }
}
