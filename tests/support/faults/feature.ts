import { NotInTime, until } from '../until.ts';
import type { Kind, Upstream } from './upstreams.ts';
import { attemptTimeoutMs } from './whole-product.ts';
import type { FaultWorld } from './world.ts';

/** What users see while a fault lasts, in the words of docs/faults.md. */
export const outcomes = {
  'as ever': 'nothing changes',
  'second source': 'the figure comes from the other price service and is marked as an estimate',
  'last known': 'the last figures that were read, marked as stale with their age; never a zero, never an empty list',
  'says so':
    'one sentence that names what does not answer and says that it will be retried; the call answers 503 with retry-after',
  'says what is wrong':
    'the real state, with a sentence that names what does not answer and says that the bot recovers by itself',
  'says nothing':
    'no answer (on Discord the platform says that the bot did not respond); asked again afterwards, it answers',
  waits: 'nothing yet; it happens by itself when the fault is over, exactly once',
  'more than once':
    'the message arrives during the fault and again later, once more for each answer that was lost after the message was accepted; a card is marked as doubtful',
  kept: 'the role stays: none is taken because of a missing answer',
} as const;
export type Outcome = keyof typeof outcomes;

/** One fault while it lasts. */
export interface Episode {
  readonly upstream: Upstream;
  readonly kind: Kind;
  readonly beganAtMs: number;
  /** By the product's own clock, which has moved on so far that everything read before is old. */
  readonly productAtMs: number;
}

/** Something that users do, through the interface they use. */
export interface Feature<Memory = unknown> {
  readonly name: string;
  readonly seenBy: 'visitor' | 'admin' | 'chat' | 'member';
  /** Runs before the fault. */
  remember(world: FaultWorld): Promise<Memory>;
  /** Runs while it lasts. Throws if something is seen that must never happen: a wrong number, a crash, a role taken. */
  during(world: FaultWorld, episode: Episode, memory: Memory): Promise<Outcome>;
  /** Resolves when everything is right again, without help. */
  recovered(world: FaultWorld, memory: Memory): Promise<void>;
  /** Runs after recovery, if only then the outcome can be seen. Throws like `during`. */
  inTheEnd?(world: FaultWorld, memory: Memory, during: Outcome): Promise<Outcome>;
}

/** The number of calls of that service and those operations that met a fault since then. */
export const met = ({ sandbox }: FaultWorld, service: string, sinceMs: number, operation = /./): number =>
  sandbox.requests
    .of(service)
    .entries.filter(
      ({ at, fault, operations }) =>
        fault !== null && Date.parse(at) >= sinceMs && operations.some((each) => operation.test(each)),
    ).length;

/** The other side has carried out the call before its answer is spoiled. */
export const isDoneFirst = (kind: Kind): boolean =>
  /^(?:truncated|wrong types|empty|huge answer|slow drip|timeout)$/.test(kind);

/** The longest wait for something that is normally immediate: 32 MiB per call, all in one process, slow everything down. */
export const patientMs = 30_000;

const late: ReadonlySet<Kind> = new Set(['timeout', 'hang', 'slow drip', 'huge answer']);

/** Waits until a call has met the fault and was answered or given up. */
export async function felt(world: FaultWorld, { kind, beganAtMs }: Episode, service: string, operation?: RegExp) {
  const isRefused = kind === 'refused';
  const hasMet = (): boolean => isRefused || met(world, service, beganAtMs, operation) > 0;
  await until(`${service} is asked`, hasMet);
  await passed(late.has(kind) || isRefused ? attemptTimeoutMs + 200 : 150);
}

/** For waits that are as long as a caller's own wait for its answer. */
export const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether it happens within that time. Any other failure is thrown. */
export const within = (ms: number, holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  until('it happens', holds, ms).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotInTime) return false;
      throw error;
    },
  );
