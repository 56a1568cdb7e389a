import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { GatewayCore } from './gateway.ts';
import { problemOfIntents } from './intents.ts';
import type { Session } from './session.ts';
import { createSession, dispatch, guildsPerShardMax, isOfShard, replayAfter, wants } from './session.ts';

/** One WebSocket of a bot. */
export type Connection = { readonly socket: WebSocket; session: Session | null; heartbeats: number };

const largestPayloadBytes = 4096;
const mostPerMinute = 120;
const minuteMs = 60_000;

const payload = z.object({ op: z.int(), d: z.unknown() });
const identity = z.object({
  token: z.string(),
  intents: z.int(),
  properties: z.record(z.string(), z.unknown()),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});
const resumption = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });
const memberRequest = z.looseObject({ guild_id: z.string() });

type Step = (core: GatewayCore, connection: Connection, data: unknown) => void;

const steps: Readonly<Record<number, Step>> = { 1: heartbeat, 2: identify, 3: () => {}, 6: resume, 8: requestMembers };

/** Sends hello, then handles payloads until the connection ends. */
export function openConnection(core: GatewayCore, socket: WebSocket, request: IncomingMessage): void {
  const connection: Connection = { socket, session: null, heartbeats: 0 };
  const asked = new URL(request.url ?? '/', 'ws://sandbox').searchParams;
  const intervalMs = core.settings.heartbeatIntervalMs;
  core.connections.add(connection);
  // A client that sends no heartbeat for one and a half intervals is dropped.
  const isLate = (): void => core.close(socket, 4009, 'Session timed out.');
  let late = setTimeout(isLate, intervalMs * 1.5);
  const recent: number[] = [];
  socket.on('message', (data) => {
    const nowMs = performance.now();
    recent.push(nowMs);
    while ((recent[0] ?? nowMs) < nowMs - minuteMs) recent.shift();
    if (recent.length > mostPerMinute) return core.close(socket, 4008, 'Rate limited.');
    if (hear(core, connection, data) !== 1) return;
    clearTimeout(late);
    late = setTimeout(isLate, intervalMs * 1.5);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', (code) => {
    clearTimeout(late);
    core.connections.delete(connection);
    end(core, connection, code);
  });
  if (asked.get('v') !== '10') return core.close(socket, 4012, 'Invalid API version.');
  if ((asked.get('encoding') ?? 'json') !== 'json' || asked.has('compress')) {
    return core.close(socket, 4002, 'Only plain JSON is supported.');
  }
  say(socket, 10, { heartbeat_interval: intervalMs, _trace: ['sandbox'] });
}

/** Close codes 1000 and 1001 end the session; after any other close it can be resumed. */
function end(core: GatewayCore, { session, socket }: Connection, code: number): void {
  if (session === null || session.socket !== socket) return;
  session.socket = null;
  session.lostAtMs = performance.now();
  if (code === 1000 || code === 1001) core.sessions.delete(session.id);
}

function say(socket: WebSocket, op: number, data: unknown): void {
  socket.send(JSON.stringify({ op, d: data, s: null, t: null }));
}

/** Returns the opcode; null if the payload is unreadable. */
function hear(core: GatewayCore, connection: Connection, data: RawData): number | null {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  const read = bytes.length > largestPayloadBytes ? null : parse(bytes);
  if (!read) {
    core.close(connection.socket, 4002, 'Error while decoding payload.');
    return null;
  }
  const step = steps[read.op];
  if (step) step(core, connection, read.d);
  else core.close(connection.socket, 4001, 'Unknown opcode.');
  return read.op;
}

function parse(bytes: Buffer): z.infer<typeof payload> | null {
  try {
    return payload.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

function heartbeat(core: GatewayCore, connection: Connection): void {
  core.counts.heartbeats += 1;
  connection.heartbeats += 1;
  if (core.settings.acknowledgesHeartbeats) say(connection.socket, 11, null);
}

function identify(core: GatewayCore, connection: Connection, data: unknown): void {
  const { socket } = connection;
  const given = identity.safeParse(data).data;
  if (!given) return core.close(socket, 4002, 'Error while decoding payload.');
  if (connection.session) return core.close(socket, 4005, 'Already authenticated.');
  if (given.token !== core.token) return core.close(socket, 4004, 'Authentication failed.');
  const problem = problemOfIntents(given.intents, core.settings.privileged);
  if (problem === 4013) return core.close(socket, 4013, 'Invalid intent(s).');
  if (problem === 4014) return core.close(socket, 4014, 'Disallowed intent(s).');
  const shard = given.shard ?? [0, 1];
  if (shard[0] >= shard[1]) return core.close(socket, 4010, 'Invalid shard.');
  const { maxConcurrency, identifyEveryMs } = core.settings.sharding;
  const turn = shard[0] % maxConcurrency;
  const nowMs = performance.now();
  if (nowMs - (core.identifiedAtMs.get(turn) ?? -Infinity) < identifyEveryMs) {
    core.counts.invalidSessions += 1;
    return say(socket, 9, false);
  }
  core.identifiedAtMs.set(turn, nowMs);
  const guilds = core
    .world()
    .guilds()
    .filter(({ id }) => isOfShard(id, shard));
  if (guilds.length > guildsPerShardMax) return core.close(socket, 4011, 'Sharding required.');
  const session = createSession(core.newSessionId(), given.intents, shard, socket);
  core.sessions.set(session.id, session);
  core.counts.identifies += 1;
  connection.session = session;
  dispatch(session, 'READY', core.ready(session));
  core.count('READY');
  for (const { id, created } of guilds) {
    const event = { name: 'GUILD_CREATE', data: created(), intent: 1, guildId: id };
    if (event.data === null || !wants(session, event)) continue;
    dispatch(session, event.name, event.data);
    core.count(event.name);
  }
}

function resume(core: GatewayCore, connection: Connection, data: unknown): void {
  const { socket } = connection;
  const given = resumption.safeParse(data).data;
  if (!given) return core.close(socket, 4002, 'Error while decoding payload.');
  if (connection.session) return core.close(socket, 4005, 'Already authenticated.');
  if (given.token !== core.token) return core.close(socket, 4004, 'Authentication failed.');
  const session = core.sessions.get(given.session_id);
  if (session && given.seq > session.sequence) return core.close(socket, 4007, 'Invalid seq.');
  const missed = session ? replayAfter(session, given.seq) : null;
  if (!session || !missed) {
    core.counts.invalidSessions += 1;
    return say(socket, 9, false);
  }
  // A session has one connection, so the earlier one is dropped.
  session.socket?.terminate();
  session.socket = socket;
  session.lostAtMs = null;
  connection.session = session;
  core.counts.resumes += 1;
  for (const text of missed) socket.send(text);
  dispatch(session, 'RESUMED', { _trace: ['sandbox'] });
  core.count('RESUMED');
}

function requestMembers(core: GatewayCore, connection: Connection, data: unknown): void {
  const { socket, session } = connection;
  if (!session) return core.close(socket, 4003, 'Not authenticated.');
  const asked = memberRequest.safeParse(data).data;
  if (!asked) return core.close(socket, 4002, 'Error while decoding payload.');
  core.counts.memberRequests += 1;
  for (const { name, data: chunk } of core.world().memberChunks(asked, session)) {
    dispatch(session, name, chunk);
    core.count(name);
  }
}
