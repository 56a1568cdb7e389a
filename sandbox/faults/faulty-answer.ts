import type { ServerResponse } from 'node:http';
import type { Answer } from '../service/answer.ts';
import type { Fault, FaultKind, Lie } from './fault-board.ts';

/** Waits, but ends early when the caller is gone or the sandbox stops. */
type Wait = (milliseconds: number) => Promise<void>;

export type FaultyWrite = {
  response: ServerResponse;
  fault: Fault;
  /** The service's regular answer. */
  compute: () => Promise<Answer>;
  malformed: Answer;
  wrongTypes: (answer: Answer) => Answer;
  lie: (answer: Answer, about: Lie) => Answer;
  /** This service's failure answer; plain text when omitted. */
  failure?: (status: number, retryAfterSeconds: number | undefined) => Answer;
  wait: Wait;
};

export function send(response: ServerResponse, answer: Answer): number {
  const body = Buffer.from(answer.body);
  const cookies = answer.cookies === undefined ? {} : { 'set-cookie': answer.cookies };
  response.writeHead(answer.status, { ...answer.headers, ...cookies, 'content-length': String(body.length) });
  response.end(body);
  return answer.status;
}

type Way = (write: FaultyWrite) => Promise<number | null> | number | null;

const refuse: Way = ({ response, fault, failure }) => {
  const status = Number(fault.kind.replace('accepted-', ''));
  const answer = failure?.(status, fault.retryAfterSeconds) ?? plainFailure(status);
  const retryAfter = fault.retryAfterSeconds;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return send(response, { ...answer, headers: { ...answer.headers, ...headers } });
};
function breakOff({ response }: FaultyWrite): null {
  response.socket?.resetAndDestroy();
  return null;
}

/** The connection stays open and silent. */
const silent: Way = () => null;

const ways: Record<FaultKind, Way> = {
  '429': refuse,
  '500': refuse,
  '503': refuse,
  hang: silent,
  // The port is closed; a call already in progress gets no answer.
  refused: silent,
  slow: async ({ response, fault, compute, wait }) => {
    await wait(fault.delayMs ?? 1000);
    return send(response, await compute());
  },
  drip: async ({ response, fault, compute, wait }) => drip(response, await compute(), fault.delayMs ?? 50, wait),
  truncated: async ({ response, compute }) => truncate(response, await compute()),
  malformed: ({ response, malformed }) => send(response, malformed),
  'wrong-types': async ({ response, compute, wrongTypes }) => send(response, wrongTypes(await compute())),
  empty: async ({ response, compute }) => send(response, { ...(await compute()), status: 200, body: '' }),
  huge: async ({ response, compute }) => sendHuge(response, await compute()),
  reset: breakOff,
  'accepted-reset': async (write) => {
    await write.compute();
    return breakOff(write);
  },
  'accepted-503': async (write) => {
    await write.compute();
    return refuse(write);
  },
  lie: async ({ response, fault, compute, lie }) => send(response, lie(await compute(), fault.about ?? 'recipient')),
  'accepted-hang': async ({ compute }) => {
    await compute();
    return null;
  },
  'accepted-slow': async ({ response, fault, compute, wait }) => {
    const answer = await compute();
    await wait(fault.delayMs ?? 1000);
    return send(response, answer);
  },
};

/** Answers according to the fault; returns the status, or null if no complete answer was sent. */
export async function sendFaulty(write: FaultyWrite): Promise<number | null> {
  return ways[write.fault.kind](write);
}

function plainFailure(status: number): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: `Sandbox fault: ${status}` };
}

async function drip(response: ServerResponse, answer: Answer, delayMs: number, wait: Wait): Promise<number> {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
  const pieces = 20;
  const pieceLength = Math.max(1, Math.ceil(body.length / pieces));
  for (let start = 0; start < body.length && !response.destroyed; start += pieceLength) {
    response.write(body.subarray(start, start + pieceLength));
    await wait(delayMs);
  }
  response.end();
  return answer.status;
}

export const hugeBytes = 32 * 1024 * 1024;
const blanks = Buffer.alloc(1024 * 1024, ' ');

/** Leading blanks are valid JSON, so a caller that reads everything gets the right answer. */
async function sendHuge(response: ServerResponse, answer: Answer): Promise<number | null> {
  response.writeHead(answer.status, answer.headers);
  for (let sentBytes = 0; sentBytes < hugeBytes && !response.destroyed; sentBytes += blanks.length) {
    if (!response.write(blanks)) await drainedOrGone(response);
  }
  if (response.destroyed) return null;
  response.end(answer.body);
  return answer.status;
}

function drainedOrGone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.removeListener('drain', done);
      response.removeListener('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

function truncate(response: ServerResponse, answer: Answer): null {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
  return null;
}
