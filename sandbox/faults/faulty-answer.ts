import type { ServerResponse } from 'node:http';
import type { Answer } from '../service/answer.ts';
import type { Fault } from './fault-board.ts';

/** Waits, but not past the moment at which the caller is gone or the sandbox stops. */
export type Wait = (milliseconds: number) => Promise<void>;

export type FaultyWrite = {
  response: ServerResponse;
  fault: Fault;
  /** What the service would have said. */
  compute: () => Promise<Answer>;
  malformed: Answer;
  wrongTypes: (answer: Answer) => Answer;
  wait: Wait;
};

export function send(response: ServerResponse, answer: Answer): number {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
  response.end(body);
  return answer.status;
}

/** Answers in the way of a fault; the status that was sent, or null when nothing complete was. */
export async function sendFaulty(write: FaultyWrite): Promise<number | null> {
  const { response, fault, compute, wait } = write;
  switch (fault.kind) {
    case '429':
    case '500':
    case '503':
      return send(response, failure(Number(fault.kind), fault.retryAfterSeconds));
    case 'slow':
      await wait(fault.delayMs ?? 1000);
      return send(response, await compute());
    case 'drip':
      return drip(response, await compute(), fault.delayMs ?? 50, wait);
    case 'truncated':
      return truncate(response, await compute());
    case 'malformed':
      return send(response, write.malformed);
    case 'wrong-types':
      return send(response, write.wrongTypes(await compute()));
    case 'empty':
      return send(response, { ...(await compute()), status: 200, body: '' });
    case 'reset':
      response.socket?.resetAndDestroy();
      return null;
    case 'hang':
    case 'refused':
      return null;
  }
}

function failure(status: number, retryAfterSeconds: number | undefined): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/plain',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: `Sandbox fault: ${status}`,
  };
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

function truncate(response: ServerResponse, answer: Answer): null {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
  return null;
}
