import { describe, expect, test } from 'vitest';

import type { Fault } from '../../sandbox/faults/fault-board.ts';
import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { Unavailable } from '../../src/shared/failure.ts';

const patient: Partial<CallLimits> = { retries: 1, backoffFirstMs: 10, backoffMaxMs: 20 };

/** Against a service that does not answer in time, waiting long proves no more. */
const impatient: Partial<CallLimits> = { ...patient, attemptTimeoutMs: 300 };
const slowKinds: readonly Fault['kind'][] = ['hang', 'slow', 'drip'];

interface Outage {
  readonly name: string;
  readonly fault: Fault;
  readonly reason: string;
}

/** Every way in which a service can fail, and what a reader must call it. */
const outages: readonly Outage[] = [
  { name: 'answers 429', fault: { kind: '429' }, reason: 'rate-limited' },
  { name: 'answers 429 for an hour', fault: { kind: '429', retryAfterSeconds: 3600 }, reason: 'rate-limited' },
  { name: 'answers 500', fault: { kind: '500' }, reason: 'upstream-error' },
  { name: 'answers 503', fault: { kind: '503' }, reason: 'upstream-error' },
  { name: 'never answers', fault: { kind: 'hang' }, reason: 'timeout' },
  { name: 'answers too slowly', fault: { kind: 'slow', delayMs: 10_000 }, reason: 'timeout' },
  { name: 'answers in drips', fault: { kind: 'drip', delayMs: 1_000 }, reason: 'timeout' },
  { name: 'breaks off in the middle', fault: { kind: 'truncated' }, reason: 'network' },
  { name: 'answers what cannot be parsed', fault: { kind: 'malformed' }, reason: 'malformed-answer' },
  { name: 'answers values of other types', fault: { kind: 'wrong-types' }, reason: 'malformed-answer' },
  { name: 'answers nothing', fault: { kind: 'empty' }, reason: 'malformed-answer' },
  { name: 'resets the connection', fault: { kind: 'reset' }, reason: 'network' },
  { name: 'is not there', fault: { kind: 'refused' }, reason: 'network' },
];

interface OutageSubject {
  readonly sandbox: () => Sandbox;
  /** The services that are broken at once. */
  readonly services: readonly string[];
  /** A reader as the product makes it, with these limits; the same one must recover. */
  readonly open: (limits: Partial<CallLimits>) => () => Promise<unknown>;
  /** Left out: all. Reads that share a transport need its slow failures proved only once. */
  readonly kinds?: readonly Fault['kind'][];
  /** For a reader that has a word of its own for every failure. */
  readonly reasonOf?: (outage: Outage) => string;
}

/** While its upstream fails in each way, a read is Unavailable, in time and without the upstream's text; afterwards it works. */
export function describeOutages(port: string, { sandbox, services, open, kinds, reasonOf }: OutageSubject): void {
  describe(`${port}: an outage is never an answer`, () => {
    const wanted = outages.filter(({ fault }) => kinds?.includes(fault.kind) ?? true);
    test.each(wanted)('when the upstream $name, the read is Unavailable, and recovers', async (outage) => {
      const { faults } = sandbox();
      const read = open(slowKinds.includes(outage.fault.kind) ? impatient : patient);
      for (const service of services) await faults.set(service, outage.fault);
      const startedMs = performance.now();
      const failure: unknown = await read().then(
        () => 'an answer',
        (error: unknown) => error,
      );
      const tookMs = performance.now() - startedMs;
      await faults.clear();
      expect(failure).toBeInstanceOf(Unavailable);
      const { reason, message } = failure as Unavailable;
      expect(reason).toBe(reasonOf?.(outage) ?? outage.reason);
      expect(message).not.toMatch(/sandbox/i);
      expect(tookMs).toBeLessThan(10_000);
      const recovered = () =>
        read().then(
          () => 'an answer',
          (error: unknown) => error,
        );
      await expect.poll(recovered, { timeout: 10_000 }).toBe('an answer');
    });
  });
}
