import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { DiscordUser, Json } from '../discord-state.ts';
import { userWire } from '../wire.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import type { GatewayReading } from './gateway-reading.ts';
import type { PrivilegedSwitches } from './intents.ts';
import { intents } from './intents.ts';
import type { GatewayEvent, Session } from './session.ts';
import { dispatch, wants } from './session.ts';

type GatewaySettings = {
  heartbeatIntervalMs: number;
  acknowledgesHeartbeats: boolean;
  privileged: PrivilegedSwitches;
  sharding: ShardingSettings;
  /** By server: how many more member requests are answered. Servers not listed answer all of them. */
  memberAnswers: Map<string, number>;
};

export type ShardingSettings = {
  /** What GET /gateway/bot recommends; null: one per thousand servers. */
  shards: number | null;
  /** How many shards may identify at a time; a shard counts by its number modulo this (topics/gateway, 'max_concurrency'). */
  maxConcurrency: number;
  /** Minimum time between two of them; a faster bot gets invalid session. 0: no minimum. */
  identifyEveryMs: number;
};

/** What the gateway needs from the rest of this Discord. */
type GatewayWorld = {
  /** The bot's servers. `created` is the data of GUILD_CREATE, null while unavailable. */
  guilds: () => { id: string; created: () => Json | null }[];
  /** The chunks that answer opcode 8; empty for no answer. */
  memberChunks: (asked: Json, session: Session) => { name: string; data: Json }[];
};

type Counts = Omit<GatewayReading, 'isUp' | 'connections'>;

export type Gateway = {
  readonly settings: GatewaySettings;
  readonly counts: Counts;
  /** Call once, before the first connection. */
  attach: (world: GatewayWorld, address: () => string) => void;
  address: () => string;
  recommendedShards: () => number;
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  emit: (event: GatewayEvent) => void;
  drop: (wanted: { isResumable: boolean; code: number | null }) => void;
  askToReconnect: () => void;
  setUp: (isUp: boolean) => void;
  read: () => GatewayReading;
  resetCounts: () => void;
};

/** What connections share. */
export type GatewayCore = {
  readonly token: string;
  readonly settings: GatewaySettings;
  readonly counts: Counts;
  readonly sessions: Map<string, Session>;
  readonly connections: Set<Connection>;
  /** When a shard last identified, by its number modulo `maxConcurrency`. */
  readonly identifiedAtMs: Map<number, number>;
  newSessionId: () => string;
  world: () => GatewayWorld;
  address: () => string;
  ready: (session: Session) => Json;
  count: (event: string) => void;
  close: (socket: WebSocket, code: number, reason: string) => void;
};

export const usualSettings = (): GatewaySettings => ({
  heartbeatIntervalMs: 41_250,
  acknowledgesHeartbeats: true,
  privileged: { members: true, presences: false, messageContent: false },
  sharding: { shards: null, maxConcurrency: 1, identifyEveryMs: 0 },
  memberAnswers: new Map(),
});
const noCounts = (): Counts => ({
  identifies: 0,
  resumes: 0,
  invalidSessions: 0,
  heartbeats: 0,
  memberRequests: 0,
  events: {},
  closes: {},
});
/** How long a lost session can be resumed. */
const keptMs = 180_000;

export function createGateway({ token, bot }: { token: string; bot: DiscordUser }): Gateway {
  let world: GatewayWorld = { guilds: () => [], memberChunks: () => [] };
  let address = (): string => '';
  let isUp = true;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536 });
  const core = createCore(
    token,
    bot,
    () => world,
    () => address(),
  );
  return {
    settings: core.settings,
    counts: core.counts,
    attach: (around, addressNow) => {
      world = around;
      address = addressNow;
    },
    address: () => address(),
    recommendedShards: () => core.settings.sharding.shards ?? Math.max(1, Math.ceil(world.guilds().length / 1_000)),
    upgrade: (request, socket, head) => {
      if (!isUp) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => openConnection(core, webSocket, request));
    },
    emit: (event) => {
      forgetLost(core.sessions);
      for (const session of core.sessions.values()) {
        if (!wants(session, event)) continue;
        dispatch(session, event.name, event.data);
        core.count(event.name);
      }
    },
    drop: ({ isResumable, code }) => {
      if (!isResumable) core.sessions.clear();
      for (const { socket } of core.connections) {
        if (code === null) socket.terminate();
        else core.close(socket, code, '');
      }
    },
    askToReconnect: () => {
      for (const { socket } of core.connections) socket.send(JSON.stringify({ op: 7, d: null }));
    },
    setUp: (wanted) => {
      isUp = wanted;
      if (!isUp) for (const { socket } of core.connections) socket.terminate();
    },
    read: () => ({ isUp, connections: readConnections(core), ...structuredClone(core.counts) }),
    resetCounts: () => {
      Object.assign(core.counts, noCounts());
    },
  };
}

function readConnections({ connections }: GatewayCore): GatewayReading['connections'] {
  return [...connections].map(({ session, heartbeats }) => ({
    sessionId: session?.id ?? null,
    shard: session?.shard ?? null,
    intents: session?.intents ?? 0,
    sequence: session?.sequence ?? 0,
    heartbeats,
  }));
}

function createCore(token: string, bot: DiscordUser, world: () => GatewayWorld, address: () => string): GatewayCore {
  const counts = noCounts();
  let lastSession = 0;
  return {
    token,
    settings: usualSettings(),
    counts,
    sessions: new Map(),
    connections: new Set(),
    identifiedAtMs: new Map(),
    newSessionId: () => {
      lastSession += 1;
      return createHash('sha256').update(`sandbox/discord-session/${lastSession}`).digest('hex').slice(0, 32);
    },
    world,
    address,
    ready: (session) => ({
      v: 10,
      user: { ...userWire(bot), verified: true, mfa_enabled: true, email: null },
      guilds: world()
        .guilds()
        .filter(({ id }) => wants(session, { name: 'READY', data: null, intent: 0, guildId: id }))
        .map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: address(),
      shard: session.shard,
      application: { id: bot.id, flags: (session.intents & intents.GUILD_MEMBERS) === 0 ? 0 : 1 << 15 },
      private_channels: [],
      relationships: [],
      presences: [],
      user_settings: {},
      geo_ordered_rtc_regions: [],
      guild_join_requests: [],
      auth: {},
      _trace: ['sandbox'],
    }),
    count: (event) => {
      counts.events[event] = (counts.events[event] ?? 0) + 1;
    },
    close: (socket, code, reason) => {
      counts.closes[code] = (counts.closes[code] ?? 0) + 1;
      socket.close(code, reason);
    },
  };
}

function forgetLost(sessions: Map<string, Session>): void {
  const tooOldMs = performance.now() - keptMs;
  for (const [id, { lostAtMs }] of sessions) if (lostAtMs !== null && lostAtMs < tooOldMs) sessions.delete(id);
}
