import { NotInTime, until } from '../until.ts';
import type { Kind, Upstream } from './upstreams.ts';
import { attemptTimeoutMs } from './whole-product.ts';
import type { FaultWorld } from './world.ts';

/** What somebody sees while a fault lasts, in the words of docs/faults.md. */
export const outcomes = {
  'as ever': 'nothing of it shows',
  'second source': 'the figure comes from the other price service and is marked as an estimate',
  'last known': 'the last figures that were read, marked as stale with their age; never a zero, never an empty list',
  'says so':
    'one sentence that says what does not answer and that it is tried again; the call answers 503 with retry-after',
  'says what is wrong':
    'the state is shown as it is, with a sentence on what does not answer and that the bot goes on by itself',
  'says nothing':
    'no answer (on Discord the platform says that the bot did not respond); asked again afterwards, it answers',
  waits: 'nothing yet; it is done by itself when the fault is over, exactly once',
  'more than once':
    'it is there while the fault lasts and again later: every time its answer was lost after the message was taken; a card is marked as doubtful',
  kept: 'what was given stays: no role is taken on an answer that did not come',
} as const;
export type Outcome = keyof typeof outcomes;

/** One fault as it goes on. */
export interface Episode {
  readonly upstream: Upstream;
  readonly kind: Kind;
  readonly beganAtMs: number;
  /** By the product's own clock, for which everything that it has read is old by then. */
  readonly productAtMs: number;
}

/** Something that somebody uses, through its own front door. */
export interface Feature<Memory = unknown> {
  readonly name: string;
  readonly seenBy: 'visitor' | 'admin' | 'chat' | 'member';
  /** Before the fault. */
  remember(world: FaultWorld): Promise<Memory>;
  /** While it lasts. Throws when something is seen that must never be: a wrong number, a crash, a role taken. */
  during(world: FaultWorld, episode: Episode, memory: Memory): Promise<Outcome>;
  /** Resolves when everything is as it should be again, without a hand. */
  recovered(world: FaultWorld, memory: Memory): Promise<void>;
  /** Asked when it has recovered, where only then it shows what it came to. Throws like `during`. */
  inTheEnd?(world: FaultWorld, memory: Memory, during: Outcome): Promise<Outcome>;
}

/** Calls of that service that met a fault since then, of those operations. */
export const met = ({ sandbox }: FaultWorld, service: string, sinceMs: number, operation = /./): number =>
  sandbox.requests
    .of(service)
    .entries.filter(
      ({ at, fault, operations }) =>
        fault !== null && Date.parse(at) >= sinceMs && operations.some((each) => operation.test(each)),
    ).length;

/** The other side has done it before its answer is spoiled. */
export const isDoneFirst = (kind: Kind): boolean =>
  /^(?:truncated|wrong types|empty|huge answer|slow drip|timeout)$/.test(kind);

/** So long whatever comes at once in the end is waited for: 32 MiB a call, all in one process, leave little time for the rest. */
export const patientMs = 30_000;

const late: ReadonlySet<Kind> = new Set(['timeout', 'hang', 'slow drip', 'huge answer']);

/** Waits until a call met the fault and was answered, or given up. */
export async function felt(world: FaultWorld, { kind, beganAtMs }: Episode, service: string, operation?: RegExp) {
  const isRefused = kind === 'refused';
  const hasMet = (): boolean => isRefused || met(world, service, beganAtMs, operation) > 0;
  await until(`${service} is asked`, hasMet);
  await passed(late.has(kind) || isRefused ? attemptTimeoutMs + 200 : 150);
}

/** Not a pause for its own sake: so long a caller waits for its answer. */
export const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether it came about within that time. What else goes wrong is no 'no'. */
export const within = (ms: number, holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  until('it comes about', holds, ms).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotInTime) return false;
      throw error;
    },
  );
