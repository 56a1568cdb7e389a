import { useEffect, useState } from 'react';
import { askProgress, type Outcome, type Progress, troubleOf } from './verify-calls.ts';

/** A role is given within seconds; a minute and a half later something stands in its way, which /why tells. */
const pausesMs = [1_000, 1_000, 2_000, 3_000, 5_000, 8_000, 13_000, 21_000, 34_000] as const;

interface Followed {
  /** null: nothing newer than the answer to the signature. */
  readonly progress: Progress | null;
  /** It was asked for long enough, and is still open. */
  readonly isLate: boolean;
}

/** What may still end in the role: it is on its way, or what the member holds is not known yet. */
const isOpen = (outcome: Outcome['outcome']): boolean =>
  outcome === null || outcome === 'role-coming' || outcome === 'unknown';

/** What becomes of it: asked for while the page is open, less and less often, and not for ever. */
export function useProgress(token: string, { outcome, receipt }: Outcome): Followed {
  const [followed, setFollowed] = useState<Followed>({ progress: null, isLate: false });
  useEffect(() => {
    if (receipt === null || !isOpen(outcome)) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer = 0;
    const askAgain = (asked: number): void => {
      const pauseMs = pausesMs[asked];
      if (pauseMs === undefined) setFollowed((last) => ({ ...last, isLate: true }));
      else timer = window.setTimeout(() => void ask(asked), pauseMs);
    };
    const ask = async (asked: number): Promise<void> => {
      try {
        const progress = await askProgress(token, receipt, signal);
        setFollowed({ progress, isLate: false });
        if (progress.isGiven === true || !isOpen(progress.outcome)) return;
      } catch (error) {
        if (signal.aborted || troubleOf(error).over !== null) return;
      }
      askAgain(asked + 1);
    };
    askAgain(0);
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, [token, outcome, receipt]);
  return followed;
}
