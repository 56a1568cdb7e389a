import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between the product and the marketplace that records what was asked and answered when. */
export interface MarketRecorder {
  readonly url: string;
  /** Sets the marketplace's real address. */
  forwardTo(url: string): void;
  /** Every request so far, oldest first; `marketId` null: not a poll of one collection. */
  readonly requests: readonly { readonly atMs: number; readonly marketId: string | null }[];
  /** The first time, from `sinceMs` on, of an answer with an action of the collection that no earlier answer had; null: none. */
  firstNewsMs(marketId: string, sinceMs: number): number | null;
  stop(): void;
}

interface Answered {
  readonly data?: { readonly sui?: { readonly actions?: readonly { readonly id: string }[] } };
}

export const startMarketRecorder = async (): Promise<MarketRecorder> => {
  const requests: { atMs: number; marketId: string | null }[] = [];
  const news = new Map<string, number[]>();
  const seen = new Set<string>();
  let target = '';

  const note = (marketId: string, body: string, atMs: number): void => {
    const fresh = (JSON.parse(body) as Answered).data?.sui?.actions?.filter(({ id }) => !seen.has(id)) ?? [];
    for (const { id } of fresh) seen.add(id);
    if (fresh.length > 0) news.set(marketId, [...(news.get(marketId) ?? []), atMs]);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await textOf(request);
    const { variables } = JSON.parse(asked) as { variables?: { id?: string } };
    const marketId = variables?.id ?? null;
    requests.push({ atMs: Date.now(), marketId });
    const headers = Object.fromEntries(
      ['content-type', 'x-api-user', 'x-api-key'].map((name) => [name, String(request.headers[name])]),
    );
    const answer = await fetch(target, { method: 'POST', headers, body: asked });
    const body = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    const atMs = Date.now();
    response.end(body);
    if (marketId !== null) note(marketId, body, atMs);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    forwardTo: (url) => {
      target = url;
    },
    requests,
    firstNewsMs: (marketId, sinceMs) => news.get(marketId)?.find((atMs) => atMs >= sinceMs) ?? null,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
