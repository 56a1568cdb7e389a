import type { HotBody } from './hot-bodies.ts';

/** A ready body that is made when somebody asks for it after a change, once however many ask. */
export interface LazyBody {
  /** undefined: it is not made yet. */
  ready(): HotBody | undefined;
  /** Rejects as `make` did; the next one who asks begins it anew. */
  whenReady(): Promise<HotBody>;
  /** What it is made of has changed. */
  forget(): void;
}

/** `make` is never under way twice: whoever asks meanwhile gets what comes of it, be it of before a change. */
export function createLazyBody(make: () => Promise<HotBody>): LazyBody {
  let made: HotBody | undefined;
  let making: Promise<HotBody> | undefined;
  let changes = 0;

  const makeOnce = async (): Promise<HotBody> => {
    const changesBefore = changes;
    try {
      const body = await make();
      if (changes === changesBefore) made = body;
      return body;
    } finally {
      making = undefined;
    }
  };

  return {
    ready: () => made,
    whenReady: () => {
      if (made !== undefined) return Promise.resolve(made);
      making ??= makeOnce();
      return making;
    },
    forget: () => {
      changes += 1;
      made = undefined;
    },
  };
}
