import { z } from 'zod';

import { type ReadyAnswer, makeReadyJson } from '../http/ready/ready-answer.ts';
import { defineRoute } from '../http/route.ts';
import type { Log } from '../process/logger.ts';
import type { Clock } from '../shared/clock.ts';
import { escapeHtml } from '../shared/foreign-text.ts';
import {
  refreshesMissed,
  type SourceReading,
  type StaleSource,
  staleSentence,
  staleSources,
} from '../shared/source-status.ts';
import { instantInWords } from '../ui/age-in-words.ts';

interface SourceWatchDeps {
  readonly readings: () => Promise<readonly SourceReading[]>;
  readonly refreshMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export type SourceWatch = Awaited<ReturnType<typeof createSourceWatch>>;

const sourcesAnswer = z.object({
  stale: z.array(z.object({ source: z.enum(['chain', 'marketplace', 'prices']), asOf: z.iso.datetime() })),
});

/** Keeps in memory what visitors see of sources that could not be read (docs/decisions/0024). Resolves after the first check. */
export async function createSourceWatch({ readings, refreshMs, clock, log }: SourceWatchDeps) {
  const listeners = new Set<() => void>();
  const bodyOf = (stale: readonly StaleSource[]): ReadyAnswer => makeReadyJson({ data: { stale } });
  let stale: readonly StaleSource[] = [];
  let body = bodyOf(stale);
  let isStopped = false;
  let cancel = (): void => {};
  const check = async (): Promise<void> => {
    const next = staleSources(await readings(), refreshesMissed * refreshMs, clock.now());
    if (JSON.stringify(next) === JSON.stringify(stale)) return;
    stale = next;
    body = bodyOf(next);
    for (const run of listeners) run();
  };
  const checkAgain = async (): Promise<void> => {
    await check().catch((error: unknown) => log.warn({ err: error }, 'The ages of the sources could not be read'));
    if (!isStopped) cancel = clock.after(refreshMs / 2, () => void checkAgain());
  };
  await checkAgain();
  return {
    routes: [
      defineRoute({
        method: 'GET',
        path: '/api/sources',
        access: 'public',
        summary: 'Sources that could not be read for a while, and the time of the data shown from them',
        answer: sourcesAnswer,
        ready: () => body,
        handle: () => ({ status: 200, ready: body }),
      }),
    ],
    /** For `<!--status-line-->`; an empty text while all is well. */
    lineHtml: () => lineHtml(stale),
    onChange: (run: () => void) => void listeners.add(run),
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}

/** Complete without a script; with one, the page continues from the attribute. */
function lineHtml(stale: readonly StaleSource[]): string {
  if (stale.length === 0) return '';
  const text = stale.map((source) => staleSentence(source, instantInWords)).join(' ');
  return `<span class="wrap" data-stale="${escapeHtml(JSON.stringify(stale))}">${escapeHtml(text)}</span>`;
}
