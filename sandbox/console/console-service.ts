import { readFileSync } from 'node:fs';
import { answerControl, controlPrefix } from '../control/control-routes.ts';
import { isForeignHost } from '../control/guards.ts';
import type { Machinery } from '../control/sandbox-commands.ts';
import { summaryOf } from '../control/summary.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import type { WorldControl } from '../world/control.ts';
import { findCollection } from '../world/ownership.ts';
import { chatPage, chatParts, chatViewOf } from './chat-page.ts';
import type { PageFacts } from './page.ts';
import { liveParts, page } from './page.ts';
import { discordPage, discordParts } from './discord-page.ts';
import { discordViewOf } from './discord-view.ts';
import { pictureAt } from './pictures.ts';
import { walletsPage, walletsParts } from './wallets-page.ts';

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
const pageHeaders = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };

type Page = (ask: Ask) => Answer;

/** The console page, its control interface and the NFT images. */
export function consoleService(
  world: WorldControl,
  machinery: Machinery,
  urls: Readonly<Record<string, string>>,
): ServiceDefinition {
  const pages: Readonly<Record<string, Page>> = {
    ...assetPages(),
    '/': () => document(page(factsOf(world, machinery, urls)).markup),
    '/live': () => jsonAnswer(200, liveParts(factsOf(world, machinery, urls))),
    ...chatPages(world, machinery),
    ...discordPages(world, machinery, urls),
    ...walletPages(machinery, urls),
  };
  const answer = async (ask: Ask, gone: AbortSignal): Promise<Answer> => {
    if (isForeignHost(ask)) return jsonAnswer(403, { message: 'Foreign host' });
    if (ask.path.startsWith(controlPrefix)) return answerControl(world, machinery, ask);
    if (ask.method !== 'GET') return jsonAnswer(405, { message: 'GET only' });
    const found = Object.hasOwn(pages, ask.path) ? pages[ask.path] : undefined;
    if (found !== undefined) return found(ask);
    return photo(machinery, ask.path) ?? (await pictureAt(ask.path, gone)) ?? textAnswer(404, 'Not found');
  };
  return {
    name: 'console',
    answer,
    operationsOf: () => ['console'],
    malformed: textAnswer(200, ''),
    wrongTypes: (reply) => reply,
  };
}

const assetTypes = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

function assetPages(): Record<string, Page> {
  const asset = (name: string, type: keyof typeof assetTypes): [string, Page] => {
    const text = readFileSync(new URL(`./assets/${name}.${type}`, import.meta.url), 'utf8');
    return [`/${name}.${type}`, () => textAnswer(200, text, assetTypes[type])];
  };
  return Object.fromEntries([
    asset('console', 'js'),
    asset('console', 'css'),
    asset('chat', 'css'),
    asset('discord', 'css'),
    asset('wallets', 'css'),
  ]);
}

function chatPages(world: WorldControl, { telegram }: Machinery): Record<string, Page> {
  const viewOf = (ask: Ask) =>
    chatViewOf(
      {
        telegram,
        nowMs: world.now().getTime(),
        ownCollectionType: findCollection(world.state, world.state.ownCollectionKey).nftType,
      },
      ask.query,
    );
  return {
    '/chat': (ask) => document(chatPage(viewOf(ask)).markup),
    '/chat/live': (ask) => jsonAnswer(200, chatParts(viewOf(ask))),
  };
}

type Urls = Readonly<Record<string, string>>;

function discordPages(world: WorldControl, { discord, walletBrowser }: Machinery, urls: Urls): Record<string, Page> {
  /** Links to the product open in the browser with a wallet. */
  const linkTo = (url: string): string => {
    const target = walletBrowser.target();
    return target !== null && (url === target || url.startsWith(`${target}/`))
      ? (urls['walletBrowser'] ?? '') + url.slice(target.length)
      : url;
  };
  const viewOf = (ask: Ask) => discordViewOf({ discord, nowMs: world.now().getTime(), linkTo }, ask.query);
  return {
    '/discord': (ask) => {
      const view = viewOf(ask);
      return view ? document(discordPage(view).markup) : textAnswer(404, 'No server is left');
    },
    '/discord/live': (ask) => {
      const view = viewOf(ask);
      return jsonAnswer(view ? 200 : 404, view ? discordParts(view) : {});
    },
  };
}

function walletPages(machinery: Machinery, urls: Urls): Record<string, Page> {
  const { wallets, chain, pendingTransaction, walletBrowser } = machinery;
  const view = () => ({
    wallets,
    chain,
    pendingTransaction,
    browserUrl: walletBrowser.target() === null ? null : (urls['walletBrowser'] ?? null),
  });
  return {
    '/wallets': () => document(walletsPage(view()).markup),
    '/wallets/live': () => jsonAnswer(200, walletsParts(view())),
  };
}

function factsOf(world: WorldControl, machinery: Machinery, urls: Readonly<Record<string, string>>): PageFacts {
  const listed = world.state.listings
    .filter((row) => row.listed)
    .map((row) => ({ nftId: row.nftId, name: world.state.nfts.get(row.nftId)?.name ?? '' }));
  return { summary: summaryOf(world, machinery), urls, listed, nowMs: world.now().getTime() };
}

function document(markup: string): Answer {
  const answer = textAnswer(200, markup, 'text/html; charset=utf-8');
  return { ...answer, headers: { ...answer.headers, ...pageHeaders } };
}

/** A photo sent by the bot; null for any other path. */
function photo({ telegram }: Machinery, path: string): Answer | null {
  const fileUniqueId = /^\/photo\/([A-Za-z0-9_-]{14})$/.exec(path)?.[1];
  const file = fileUniqueId === undefined ? null : telegram.readFile(fileUniqueId);
  if (!file) return null;
  return { status: 200, headers: { 'content-type': file.type, 'x-content-type-options': 'nosniff' }, body: file.bytes };
}
