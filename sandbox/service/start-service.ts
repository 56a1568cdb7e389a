import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Fault, FaultBoard, Lie } from '../faults/fault-board.ts';
import { send, sendFaulty } from '../faults/faulty-answer.ts';
import type { Answer, Ask } from './answer.ts';
import { jsonAnswer, textAnswer } from './answer.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import { readAsk, TooLarge } from './read-ask.ts';

/** One external system: its answers, and how they look when a fault breaks them. */
export type ServiceDefinition = {
  name: string;
  /** `gone` is aborted when the caller hangs up or the sandbox stops: a call held open must then end. */
  answer: (ask: Ask, gone: AbortSignal) => Promise<Answer> | Answer;
  /** Names of the requested operations, for the log and for faults of a single operation. */
  operationsOf: (ask: Ask) => string[];
  malformed: Answer;
  wrongTypes: (answer: Answer, ask: Ask) => Answer;
  /** Falsifies an answer. Without it, answers stay true. */
  lie?: (answer: Answer, ask: Ask, about: Lie) => Answer;
  /** More names, besides the operations, by which a fault can match a call; they are not logged. */
  faultTargetsOf?: (ask: Ask) => Promise<string[]>;
  /** The system's form of 429, 500 and 503; plain text by default. */
  failure?: (status: number, retryAfterSeconds: number | undefined) => Answer;
  /** 1 MiB by default. */
  maxBodyBytes?: number;
  /** Accepts a WebSocket; a service without it closes the connection. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** The name of its WebSockets on the fault board, and how faults break them. */
  sockets?: { name: string; breakUpgrade: BreakUpgrade };
  /** Seconds to wait when a rate limit refuses the call. */
  refusal?: () => number | null;
};

/** Applies a fault to a WebSocket upgrade; `go` accepts it normally. */
export type BreakUpgrade = (
  fault: Fault,
  asked: { request: IncomingMessage; socket: Duplex; head: Buffer },
  go: () => void,
) => void;

export type RunningService = { url: string; port: number; stop: () => Promise<void> };

type Surroundings = { board: FaultBoard; log: RequestLog; port: number };

/** Listens on 127.0.0.1 and registers with the fault board, which can make it stop listening for a while. */
export async function startService(definition: ServiceDefinition, around: Surroundings): Promise<RunningService> {
  const stopped = new AbortController();
  const server = createServer((request, response) => {
    serve(definition, around, request, response, stopped.signal).catch((error: unknown) => {
      if (response.headersSent) response.socket?.destroy();
      else send(response, textAnswer(500, `Sandbox failure: ${String(error)}`));
    });
  });
  const hangUp = takeUpgrades(server, definition, around.board);
  await listen(server, around.port);
  const port = portOf(server);
  around.board.register(definition.name, {
    stop: () => {
      hangUp();
      return close(server);
    },
    resume: async () => {
      if (!server.listening && !stopped.signal.aborted) await listen(server, port);
    },
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: async () => {
      stopped.abort();
      hangUp();
      await close(server);
    },
  };
}

/** The server does not track connections that became WebSockets; the returned function closes them. */
function takeUpgrades(server: Server, definition: ServiceDefinition, board: FaultBoard): () => void {
  const { upgrade, sockets: ofFaults } = definition;
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    if (!upgrade) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    const go = (): void => upgrade(request, socket, head);
    const fault = ofFaults ? board.take(ofFaults.name, []) : null;
    if (fault) ofFaults?.breakUpgrade(fault, { request, socket, head }, go);
    else go();
  });
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  // WebSockets share the port with ordinary calls, which continue.
  const still = async (): Promise<void> => {};
  if (ofFaults) board.register(ofFaults.name, { stop: still, resume: still, breakOff: hangUp });
  return hangUp;
}

async function serve(
  definition: ServiceDefinition,
  around: Surroundings,
  request: IncomingMessage,
  response: ServerResponse,
  stopped: AbortSignal,
): Promise<void> {
  const ask = await readAsk(request, definition.maxBodyBytes).catch((error: unknown) => {
    if (error instanceof TooLarge) return null;
    throw error;
  });
  if (!ask) {
    send(response, textAnswer(413, 'Too large'));
    return;
  }
  const operations = definition.operationsOf(ask);
  const targets = (await definition.faultTargetsOf?.(ask)) ?? [];
  const fault = around.board.take(definition.name, [...operations, ...targets]);
  const entry: LoggedRequest = {
    at: new Date().toISOString(),
    method: ask.method,
    path: ask.path,
    operations,
    status: null,
    fault: fault?.kind ?? null,
  };
  const end = around.log.begin(definition.name, entry);
  response.on('close', () => end(entry.status));
  const wait = (milliseconds: number): Promise<void> => waitFor(milliseconds, response, stopped);
  const { latencyMs } = around.board.of(definition.name);
  if (latencyMs > 0) await wait(latencyMs);
  const gone = goneSignal(response);
  const status = await reply(definition, { ask, response, fault, wait, gone });
  // A call without a complete answer stays in flight until its connection closes.
  if (status !== null) end(status);
}

/** Aborted when the connection closes, which also happens when the sandbox stops. */
function goneSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  return closed.signal;
}

type Call = {
  ask: Ask;
  response: ServerResponse;
  fault: Fault | null;
  wait: (milliseconds: number) => Promise<void>;
  gone: AbortSignal;
};

async function reply(definition: ServiceDefinition, call: Call): Promise<number | null> {
  const { ask, response, fault, wait, gone } = call;
  const retryAfter = definition.refusal?.() ?? null;
  if (retryAfter !== null) {
    const answer = jsonAnswer(429, { error: 'Too Many Requests' });
    return send(response, { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } });
  }
  const compute = async (): Promise<Answer> => definition.answer(ask, gone);
  if (!fault) return send(response, await compute());
  const { malformed, failure } = definition;
  return sendFaulty({
    response,
    fault,
    compute,
    malformed,
    ...(failure && { failure }),
    wrongTypes: (answer) => definition.wrongTypes(answer, ask),
    lie: (answer, about) => definition.lie?.(answer, ask, about) ?? answer,
    wait,
  });
}

function waitFor(milliseconds: number, response: ServerResponse, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      response.removeListener('close', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    stopped.addEventListener('abort', done);
    response.on('close', done);
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return address.port;
}
