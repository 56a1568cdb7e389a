import { describe, expect, test } from 'vitest';

import type { Fault } from '../../sandbox/faults/fault-board.ts';
import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { Unavailable } from '../../src/shared/failure.ts';

const patient: Partial<CallLimits> = { retries: 1, backoffFirstMs: 10, backoffMaxMs: 20 };

/** For slow services: a longer wait would prove nothing more. */
const impatient: Partial<CallLimits> = { ...patient, attemptTimeoutMs: 300 };
const slowKinds: readonly Fault['kind'][] = ['hang', 'slow', 'drip'];

interface Outage {
  readonly name: string;
  readonly fault: Fault;
  readonly reason: string;
}

/** All ways in which a service can fail, and the reason that a reader must give. */
const outages: readonly Outage[] = [
  { name: 'answers 429', fault: { kind: '429' }, reason: 'rate-limited' },
  { name: 'answers 429 for an hour', fault: { kind: '429', retryAfterSeconds: 3600 }, reason: 'rate-limited' },
  { name: 'answers 500', fault: { kind: '500' }, reason: 'upstream-error' },
  { name: 'answers 503', fault: { kind: '503' }, reason: 'upstream-error' },
  { name: 'never answers', fault: { kind: 'hang' }, reason: 'timeout' },
  { name: 'answers too slowly', fault: { kind: 'slow', delayMs: 10_000 }, reason: 'timeout' },
  { name: 'answers in drips', fault: { kind: 'drip', delayMs: 1_000 }, reason: 'timeout' },
  { name: 'breaks off in the middle', fault: { kind: 'truncated' }, reason: 'network' },
  { name: 'gives an answer that cannot be parsed', fault: { kind: 'malformed' }, reason: 'malformed-answer' },
  { name: 'gives values of wrong types', fault: { kind: 'wrong-types' }, reason: 'malformed-answer' },
  { name: 'gives an empty answer', fault: { kind: 'empty' }, reason: 'malformed-answer' },
  { name: 'resets the connection', fault: { kind: 'reset' }, reason: 'network' },
  { name: 'refuses the connection', fault: { kind: 'refused' }, reason: 'network' },
];

interface OutageSubject {
  readonly sandbox: () => Sandbox;
  /** The services that fail at the same time. */
  readonly services: readonly string[];
  /** Opens a reader as in the product, with these limits; the same reader must recover. */
  readonly open: (limits: Partial<CallLimits>) => () => Promise<unknown>;
  /** By default all. Of reads that share a transport, one is enough to prove its slow failures. */
  readonly kinds?: readonly Fault['kind'][];
  /** For a reader with a reason of its own for every failure. */
  readonly reasonOf?: (outage: Outage) => string;
}

/** Tests that each failure of the upstream makes a read Unavailable, in time and without the upstream's text, and that it works again afterwards. */
export function describeOutages(port: string, { sandbox, services, open, kinds, reasonOf }: OutageSubject): void {
  describe(`${port}: an outage never counts as an answer`, () => {
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
