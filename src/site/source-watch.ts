import { z } from 'zod';

import { type ReadyAnswer, makeReadyJson } from '../http/ready/ready-answer.ts';
import type { Route } from '../http/route.ts';
import type { Clock } from '../shared/clock.ts';
import { escapeHtml } from '../shared/foreign-text.ts';
import { type SourceReading, type StaleSource, staleSentence, staleSources } from '../shared/source-status.ts';
import { instantInWords } from '../ui/age-in-words.ts';

interface SourceWatchDeps {
  /** What was last read of everything outside. */
  readonly readings: () => readonly SourceReading[];
  readonly refreshMs: number;
  readonly clock: Clock;
}

/** What visitors see of sources that could not be read (docs/decisions/0024), ready in memory. */
export interface SourceWatch {
  readonly routes: readonly Route[];
  /** For `<!--status-line-->`; an empty text while all is well. */
  lineHtml(): string;
  /** Runs when a source turns stale or is read again. */
  onChange(run: () => void): void;
  stop(): void;
}

const sourcesAnswer = z.object({
  data: z.object({
    stale: z.array(z.object({ source: z.enum(['chain', 'marketplace', 'prices']), asOf: z.iso.datetime() })),
  }),
});

/** A single failed refresh is not shown; five in a row are. */
const refreshesMissed = 5;

export function createSourceWatch({ readings, refreshMs, clock }: SourceWatchDeps): SourceWatch {
  const listeners = new Set<() => void>();
  const look = (): readonly StaleSource[] => staleSources(readings(), refreshesMissed * refreshMs, clock.now());
  const bodyOf = (stale: readonly StaleSource[]): ReadyAnswer => makeReadyJson({ data: { stale } });
  let stale = look();
  let body = bodyOf(stale);
  let cancel = (): void => {};
  const lookAgain = (): void => {
    const next = look();
    if (JSON.stringify(next) !== JSON.stringify(stale)) {
      stale = next;
      body = bodyOf(next);
      for (const run of listeners) run();
    }
    cancel = clock.after(refreshMs / 2, lookAgain);
  };
  cancel = clock.after(refreshMs / 2, lookAgain);
  return {
    routes: [
      {
        method: 'GET',
        path: '/api/sources',
        access: 'public',
        summary: 'Sources that could not be read for a while, and how old what is shown of them is',
        answer: sourcesAnswer,
        ready: () => body,
        handle: () => ({ status: 200, ready: body }),
      },
    ],
    lineHtml: () => lineHtml(stale),
    onChange: (run) => void listeners.add(run),
    stop: () => cancel(),
  };
}

/** Whole without a script; with one, the page goes on from what stands in the attribute. */
function lineHtml(stale: readonly StaleSource[]): string {
  if (stale.length === 0) return '';
  const text = stale.map((source) => staleSentence(source, instantInWords)).join(' ');
  return `<p class="wrap" data-stale="${escapeHtml(JSON.stringify(stale))}">${escapeHtml(text)}</p>`;
}
