import { createWriteStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import path from 'node:path';

import { demoArguments, keptAdminPassword } from './demo-folder.ts';
import { productEnvironment, startOutsideWorld, type OutsideWorld } from './outside-world.ts';
import { runTogether, type Group } from './run-together.ts';
import { portTaken, siteAddress, waitUntilReady } from './site-address.ts';
import { buildWeb, isWebStale } from './web-build.ts';

/** `npm run demo`: the whole product on the embedded PostgreSQL, with the sandbox as its outside world. */
process.chdir(path.join(import.meta.dirname, '..'));
const { dataDir, isMultisig } = demoArguments('data/demo');
const site = siteAddress();
const logFile = path.join(dataDir, 'product.log');
const largestLogBytes = 10 * 1024 * 1024;

await runTogether(async (group) => {
  const taken = await portTaken(site);
  if (taken !== null) return group.fail(taken);
  if (await isWebStale()) {
    console.log('Building the site …');
    await buildWeb(group, process.env);
  }
  console.log('Starting …');
  const password = await keptAdminPassword(dataDir);
  const world = await startOutsideWorld(group, { env: process.env, siteUrl: site.publicUrl, isMultisig });
  startProduct(group, world, password);
  await waitUntilReady(site);
  // Only now is it certain that the folder and its log are ours.
  if ((await stat(logFile)).size > largestLogBytes) await truncate(logFile);
  console.log(welcome(world, password));
});

function startProduct(group: Group, world: OutsideWorld, password: string): void {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  group.start({
    name: 'The product',
    args: ['src/main.ts'],
    env: productEnvironment(process.env, world, dataDir, password),
    onLine: (line) => log.write(`${line}\n`),
    dataDir,
  });
}

function welcome(world: OutsideWorld, password: string): string {
  return `
  Sui Rocks is running.

    Site      ${site.publicUrl}/
    Treasury  ${site.publicUrl}/rockfolio
    Sandbox   ${world.urls.console}/  (the outside world: move balances, mint, sell, break things)
    Telegram  ${world.urls.console}/chat  (the sandbox's chats, with @${world.facts.telegramBotUsername})
    Discord   ${world.urls.console}/discord  (the sandbox's servers, with ${world.facts.discordBotUsername})
    Wallets   ${world.urls.console}/wallets  (who holds which rocks; the site with a wallet: ${world.urls.walletBrowser}/)
    Admin     name admin, password ${password}
    Verify    SUI_GRPC_URL=${world.urls.sui} npm run verify-payout -- ${site.publicUrl}/payouts/1  (once there is a payout)
    Log       ${logFile}

  The sandbox starts afresh each time; what the product has stored stays in ${dataDir}.
  Ctrl-C ends everything.
`;
}
