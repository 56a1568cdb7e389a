import { fork } from 'node:child_process';
import { once } from 'node:events';

import type { VisitAnswer, VisitRound } from './visitor-load.ts';

export interface Visitors {
  visit(round: VisitRound): Promise<VisitAnswer>;
  stop(): void;
}

/** Visitors in a separate process, so that they do not delay the one that measures. */
export const startVisitors = (): Visitors => {
  const child = fork('bench/visitor-load.ts', { stdio: 'inherit' });
  return {
    visit: async (round) => {
      child.send(round);
      const [answer] = (await once(child, 'message')) as [VisitAnswer];
      return answer;
    },
    stop: () => {
      child.disconnect();
    },
  };
};
