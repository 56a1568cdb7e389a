import type { WebSocket } from 'ws';

/** `intent` is the bit that an event requires, 0 for events that every session gets. */
export type GatewayEvent = {
  name: string;
  data: unknown;
  intent: number;
  /** Null for direct messages and events about the bot alone; they go to shard 0. */
  guildId: string | null;
};

type Sent = { sequence: number; text: string };

/** A bot's session with the gateway, which outlives a single connection. */
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
/** The most servers that one shard gets (documentation, topics/gateway, 'Sharding'). */
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

/** Stores an event for a resume, and sends it if there is a connection. */
export function dispatch(session: Session, name: string, data: unknown): void {
  session.sequence += 1;
  const text = JSON.stringify({ op: 0, t: name, s: session.sequence, d: data });
  session.sent.push({ sequence: session.sequence, text });
  if (session.sent.length > mostKept) session.sent.shift();
  session.socket?.send(text);
}

/** Every event after `sequence`; null if some are no longer stored, or if it was never reached. */
export function replayAfter(session: Session, sequence: number): string[] | null {
  if (sequence > session.sequence) return null;
  const missing = session.sent.filter((each) => each.sequence > sequence);
  return missing.length === session.sequence - sequence ? missing.map(({ text }) => text) : null;
}
