import type { WebSocket } from 'ws';

/** An event; `intent` is the bit that opens it, 0 for those that everybody gets. */
export type GatewayEvent = {
  name: string;
  data: unknown;
  intent: number;
  /** Null: direct messages and what concerns the bot alone; they go to shard 0. */
  guildId: string | null;
};

type Sent = { sequence: number; text: string };

/** What a bot has with the gateway, beyond a single connection. */
export type Session = {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [number, number];
  sequence: number;
  /** What can be replayed, oldest first. */
  sent: Sent[];
  socket: WebSocket | null;
  lostAtMs: number | null;
};

const mostKept = 20_000;
/** More servers one shard does not get (documentation, topics/gateway, 'Sharding'). */
export const guildsPerShardMax = 2_500;

export function createSession(
  id: string,
  intents: number,
  shard: readonly [number, number],
  socket: WebSocket,
): Session {
  return { id, intents, shard, sequence: 0, sent: [], socket, lostAtMs: null };
}

export function wants(session: Session, event: GatewayEvent): boolean {
  if (event.intent !== 0 && (session.intents & event.intent) === 0) return false;
  return event.guildId === null ? session.shard[0] === 0 : isOfShard(event.guildId, session.shard);
}

export const isOfShard = (guildId: string, [index, count]: Session['shard']): boolean =>
  Number((BigInt(guildId) >> 22n) % BigInt(count)) === index;

/** Sends it now, or keeps it for a resume. */
export function dispatch(session: Session, name: string, data: unknown): void {
  session.sequence += 1;
  const text = JSON.stringify({ op: 0, t: name, s: session.sequence, d: data });
  session.sent.push({ sequence: session.sequence, text });
  if (session.sent.length > mostKept) session.sent.shift();
  session.socket?.send(text);
}

/** Everything after `sequence`; null when it is no longer all there or never was. */
export function replayAfter(session: Session, sequence: number): string[] | null {
  if (sequence > session.sequence) return null;
  const missing = session.sent.filter((each) => each.sequence > sequence);
  return missing.length === session.sequence - sequence ? missing.map(({ text }) => text) : null;
}
