import * as fc from 'fast-check';

import type { AttackWorld } from './attack-world.ts';
import { type GeneratedRequest, requestsTo } from './generated-requests.ts';
import { complaintAbout } from './judge-answer.ts';

export interface AttackReport {
  readonly sent: number;
  readonly byStatus: Readonly<Record<number, number>>;
  /** One line each, with the request: `POST /api/… as admin: answered 500: …`. */
  readonly complaints: readonly string[];
}

interface AttackOptions {
  readonly count: number;
  /** The same seed makes the same requests. */
  readonly seed: number;
  readonly atOnce: number;
}

const perRound = 1_000;

/** Sends `count` generated requests, spread over all calls, and checks every answer. */
export async function attack(world: AttackWorld, { count, seed, atOnce }: AttackOptions): Promise<AttackReport> {
  const known = world.knownValues();
  const generated = fc.oneof(...world.calls.map((call) => requestsTo(call, known)));
  const byStatus: Record<number, number> = {};
  const complaints: string[] = [];
  const tally = { sent: 0 };
  const sendOne = async (request: GeneratedRequest): Promise<void> => {
    const said = await judged(world, request);
    tally.sent += 1;
    byStatus[said.status] = (byStatus[said.status] ?? 0) + 1;
    if (said.complaint !== null) complaints.push(`${described(request)}: ${said.complaint}`);
  };
  for (let from = 0; from < count; from += perRound) {
    const requests = fc.sample(generated, { seed: seed + from, numRuns: Math.min(perRound, count - from) });
    const worker = async (): Promise<void> => {
      for (let next = requests.pop(); next !== undefined; next = requests.pop()) await sendOne(next);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
  return { sent: tally.sent, byStatus, complaints };
}

/** Sends these requests one after the other; returns what is wrong with their answers, as `attack` does. */
export async function complaintsOf(
  world: AttackWorld,
  requests: readonly GeneratedRequest[],
): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const request of requests) {
    const { complaint } = await judged(world, request);
    if (complaint !== null) complaints.push(`${described(request)}: ${complaint}`);
  }
  return complaints;
}

/** A larger body may be refused, and the connection closed, before the server has read it. */
const readBytes = 30_000;

async function judged(
  world: AttackWorld,
  request: GeneratedRequest,
): Promise<{ readonly status: number; readonly complaint: string | null }> {
  try {
    // Guessed logins must not use up the attempts of the roles that really sign in.
    const isGuess = request.target.startsWith('/api/auth/login');
    const answer = await world.ask(request, isGuess ? 'anonymous' : request.role);
    return { status: answer.status, complaint: complaintAbout(world.calls, request, answer, world.secrets) };
  } catch (error) {
    // A body refused before it was read: the connection ends while it is being sent.
    const isTooMuch = (request.body?.length ?? 0) > readBytes;
    return { status: 0, complaint: isTooMuch ? null : `no answer: ${String(error)}` };
  }
}

function described({ method, target, role, headers, body }: GeneratedRequest): string {
  const shown = body === null ? '' : ` ${body.toString().slice(0, 200)}`;
  return `${method} ${target.slice(0, 200)} as ${role} ${JSON.stringify(headers).slice(0, 200)}${shown}`;
}
