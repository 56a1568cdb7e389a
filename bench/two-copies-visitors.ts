import { setTimeout as delay } from 'node:timers/promises';

import { createRandom } from '../sandbox/world/random.ts';
import { admin, type Copy, type TwoCopiesWorld } from './two-copies-world.ts';

export interface Visitors {
  /** Answers so far, of any status. */
  readonly answers: number;
  /** Answers of 500 and above, or none, from a copy that was not killed meanwhile. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

const everyPage = [
  '/',
  '/nft',
  '/rockfolio',
  '/telegram',
  '/no-such-page',
  '/api/auth/check',
  '/api/treasury/balance',
  '/api/telegram/status',
  '/api/telegram/configs',
  '/api/discord/invite-url',
  '/api/discord/guilds',
] as const;
const pauseMs = 20;
const answerWithinMs = 20_000;

interface VisitPlan {
  readonly seed: number;
  readonly visitors: number;
  /** The pages and the admin's calls when left out. */
  readonly paths?: readonly string[];
}

/** Visitors, each signed in as admin, send one request after the other to both copies until stopped. */
export const sendVisitors = async (
  { copies }: TwoCopiesWorld,
  { seed, visitors, paths = everyPage }: VisitPlan,
): Promise<Visitors> => {
  const cookie = await signIn(copies[0]);
  const random = createRandom(seed);
  const stopped = new AbortController();
  const failures: string[] = [];
  let answers = 0;
  const ask = async (copy: Copy): Promise<void> => {
    const { pid, url } = copy;
    if (pid === null) return;
    const path = random.pick(paths);
    const failed = (what: string): void => {
      // A copy that was killed meanwhile owes no answer.
      if (copy.pid === pid) failures.push(`${path}: ${what}`);
    };
    try {
      const answer = await fetch(url + path, { headers: { cookie }, signal: AbortSignal.timeout(answerWithinMs) });
      await answer.arrayBuffer();
      answers += 1;
      if (answer.status >= 500) failed(String(answer.status));
    } catch (error) {
      failed(String(error));
    }
  };
  const visit = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await ask(random.pick(copies));
      await delay(pauseMs);
    }
  };
  const visiting = Array.from({ length: visitors }, visit);
  return {
    get answers() {
      return answers;
    },
    failures,
    stop: async () => {
      stopped.abort();
      await Promise.all(visiting);
    },
  };
};

/** The session is valid at both copies: it is a row in their shared database. */
const signIn = async ({ url }: Copy): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${await answer.text()}`);
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
};
