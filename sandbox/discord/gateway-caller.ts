import { WebSocket } from 'ws';
import type { Sandbox } from '../start-sandbox.ts';

type Payload = { op: number; t: string | null; s: number | null; d: Record<string, unknown> };

/** One connection to this Discord's gateway without a library. */
export type GatewayCaller = {
  /** Everything received so far. */
  heard: Payload[];
  send: (op: number, d: unknown) => void;
  /** The next payload that fits and was not returned before. */
  next: (fits: (payload: Payload) => boolean) => Promise<Payload>;
  event: (name: string) => Promise<Payload['d']>;
  /** The close code. */
  closed: Promise<number>;
  /** Disconnects without a close frame. */
  break: () => void;
};

export function callGateway(sandbox: Sandbox, query = 'v=10&encoding=json'): GatewayCaller {
  const socket = new WebSocket(`${sandbox.urls.discord.replace(/^http/, 'ws')}?${query}`);
  const heard: Payload[] = [];
  let given = 0;
  let wake = (): void => {};
  socket.on('message', (data: Buffer) => {
    heard.push(JSON.parse(data.toString('utf8')) as Payload);
    wake();
  });
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => {
      resolve(code);
      wake();
    });
  });
  socket.on('error', () => {});
  const next: GatewayCaller['next'] = async (fits) => {
    for (;;) {
      const index = heard.findIndex((payload, at) => at >= given && fits(payload));
      const found = heard[index];
      if (found) {
        given = index + 1;
        return found;
      }
      if (socket.readyState === WebSocket.CLOSED) throw new Error('The gateway has closed the connection');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    heard,
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    next,
    event: async (name) => (await next(({ t }) => t === name)).d,
    closed,
    break: () => socket.terminate(),
  };
}

/** Connects, identifies and waits for its servers. */
export async function identified(sandbox: Sandbox, intents: number): Promise<GatewayCaller & { sessionId: string }> {
  const caller = callGateway(sandbox);
  await caller.next(({ op }) => op === 10);
  caller.send(2, { token: sandbox.facts.discordBotToken, intents, properties: { os: 'linux' }, shard: [0, 1] });
  const ready = await caller.event('READY');
  const wanted = (ready['guilds'] as unknown[]).length;
  const awaited = (intents & 1) === 0 ? 0 : wanted;
  for (let got = 0; got < awaited; got += 1) await caller.event('GUILD_CREATE');
  return { ...caller, sessionId: String(ready['session_id']) };
}
