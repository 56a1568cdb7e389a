import { type Outcome, outcomes } from './feature.ts';
import { type Expectation, expectedOf } from './matrix.ts';
import { breakUpstream, type Kind, type Upstream } from './upstreams.ts';
import type { FaultWorld } from './world.ts';

/** The result of one feature under one fault. */
export interface Cell {
  readonly upstream: Upstream;
  readonly kind: Kind;
  readonly feature: string;
  readonly seenBy: string;
  /** The acceptable outcomes, joined with ' or '. */
  readonly expected: string;
  /** An outcome, or a description of what went wrong. */
  readonly seen: string;
  /** From the end of the fault until everything was right again, in milliseconds. */
  readonly recoveredMs: number | null;
  readonly ok: boolean;
}

const agedMs = 100_000;

const isOutcome = (word: string): word is Outcome => word in outcomes;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One failing upstream, and the features to check meanwhile. */
export interface Broken {
  readonly upstream: Upstream;
  readonly expectations: readonly Expectation[];
}

/**
 * Breaks upstreams in one way, checks all features at once, mends the upstreams, and waits until each feature has recovered. Several
 * upstreams at once only where no feature depends on two of them.
 */
export async function runFault(world: FaultWorld, kind: Kind, broken: readonly Broken[]): Promise<readonly Cell[]> {
  world.moveOn();
  const watched = await Promise.all(broken.flatMap((each) => remembered(world, each)));
  const beganAtMs = Date.now();
  const mends = [];
  for (const { upstream } of broken) mends.push(await breakUpstream(world, upstream, kind));
  world.jumpAhead(agedMs);
  const productAtMs = world.productNowMs();
  const seen = await Promise.all(
    watched.map(({ upstream, expectation, memory }) =>
      expectation.feature
        .during(world, { upstream, kind, beganAtMs, productAtMs }, memory)
        .catch((error: unknown) => `wrong: ${wordsOf(error)}`),
    ),
  );
  world.jumpAhead(0);
  for (const mend of mends) await mend();
  const mendedAtMs = performance.now();
  const back = await Promise.all(
    watched.map(({ expectation, memory }) =>
      expectation.feature.recovered(world, memory).then(
        () => Math.round(performance.now() - mendedAtMs),
        (error: unknown) => `not recovered: ${wordsOf(error)}`,
      ),
    ),
  );
  const inTheEnd = await Promise.all(
    watched.map(async ({ expectation: { feature }, memory }, at) => {
      const during = seen[at] ?? '';
      if (feature.inTheEnd === undefined || !isOutcome(during)) return during;
      return feature.inTheEnd(world, memory, during).catch((error: unknown) => `wrong in the end: ${wordsOf(error)}`);
    }),
  );
  const collapses = world.collapses();
  return watched.map(({ upstream, expectation }, at) =>
    cellOf({ upstream, kind }, expectation, inTheEnd[at] ?? '', back[at] ?? '', collapses),
  );
}

const remembered = (world: FaultWorld, { upstream, expectations }: Broken) =>
  expectations.map(async (expectation) => ({
    upstream,
    expectation,
    memory: await expectation.feature.remember(world),
  }));

function cellOf(
  fault: Pick<Cell, 'upstream' | 'kind'>,
  expectation: Expectation,
  seen: string,
  back: number | string,
  collapses: readonly string[],
): Cell {
  const { name, seenBy } = expectation.feature;
  const expected = expectedOf(expectation, fault.kind);
  const found = [seen, ...(typeof back === 'string' ? [back] : []), ...collapses].join('; ');
  const recoveredMs = typeof back === 'number' ? back : null;
  return {
    ...fault,
    feature: name,
    seenBy,
    seen: found,
    recoveredMs,
    expected: expected.join(' or '),
    ok: isOutcome(found) && expected.includes(found),
  };
}
