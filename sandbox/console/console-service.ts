import { readFileSync } from 'node:fs';
import { answerControl, controlPrefix, isForeignHost } from '../control/control-routes.ts';
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
import { imageOf } from './nft-image.ts';
import { oddImage, oddImagePrefix } from './odd-images.ts';

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

/** The console page, its control interface and the NFT images. */
export function consoleService(
  world: WorldControl,
  machinery: Machinery,
  urls: Readonly<Record<string, string>>,
): ServiceDefinition {
  const asset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  const script = asset('console.js');
  const style = asset('console.css');
  const chatStyle = asset('chat.css');
  const chatView = (ask: Ask) =>
    chatViewOf(
      {
        telegram: machinery.telegram,
        nowMs: world.now().getTime(),
        ownCollectionType: findCollection(world.state, world.state.ownCollectionKey).nftType,
      },
      ask.query,
    );
  const answer = async (ask: Ask, gone: AbortSignal): Promise<Answer> => {
    if (isForeignHost(ask)) return jsonAnswer(403, { message: 'Foreign host' });
    if (ask.path.startsWith(controlPrefix)) return answerControl(world, machinery, ask);
    if (ask.method !== 'GET') return jsonAnswer(405, { message: 'GET only' });
    if (ask.path.startsWith(oddImagePrefix)) return oddImage(ask.path, gone);
    switch (ask.path) {
      case '/':
        return document(page(factsOf(world, machinery, urls)).markup);
      case '/live':
        return jsonAnswer(200, liveParts(factsOf(world, machinery, urls)));
      case '/console.js':
        return textAnswer(200, script, 'text/javascript; charset=utf-8');
      case '/console.css':
        return textAnswer(200, style, 'text/css; charset=utf-8');
      case '/chat.css':
        return textAnswer(200, chatStyle, 'text/css; charset=utf-8');
      case '/chat':
        return document(chatPage(chatView(ask)).markup);
      case '/chat/live':
        return jsonAnswer(200, chatParts(chatView(ask)));
      default:
        return photo(machinery, ask.path) ?? image(ask.path);
    }
  };
  return {
    name: 'console',
    answer,
    operationsOf: () => ['console'],
    malformed: textAnswer(200, ''),
    wrongTypes: (reply) => reply,
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

/** A picture that the bot sent; null when the path is none of these. */
function photo({ telegram }: Machinery, path: string): Answer | null {
  const fileUniqueId = /^\/photo\/([A-Za-z0-9_-]{14})$/.exec(path)?.[1];
  const file = fileUniqueId === undefined ? null : telegram.readFile(fileUniqueId);
  if (!file) return null;
  return { status: 200, headers: { 'content-type': file.type, 'x-content-type-options': 'nosniff' }, body: file.bytes };
}

function image(path: string): Answer {
  const picture = imageOf(path);
  return picture === null
    ? textAnswer(404, 'Nothing here')
    : { ...textAnswer(200, picture, 'image/svg+xml'), headers: imageHeaders };
}

/** The site may show these pictures from its own origin. */
const imageHeaders = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
