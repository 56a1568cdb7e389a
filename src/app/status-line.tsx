import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { type StaleSource, staleSentence } from '../shared/source-status.ts';
import { ageInWords, timeOfDay } from '../ui/age-in-words.ts';
import { useAtTime } from '../ui/age.tsx';
import { readAnswer, rows } from '../ui/api/answer-schema.ts';
import { serverTimeMs } from '../ui/api/api-client.ts';
import { useInBrowser } from '../ui/server-written.tsx';

/** GET /api/sources: what this version knows how to say; anything else is no sentence. */
const staleSources = z.object({
  stale: rows(z.object({ source: z.enum(['chain', 'marketplace', 'prices']), asOf: z.iso.datetime() })),
});

/** While all is well hardly ever, so that a page left open costs next to nothing; while it is not, visitors want to see it end. */
const askWhileWellMs = 300_000;
const askWhileStaleMs = 30_000;

/**
 * What could not be read for a while, in plain words; nothing while all is well. The server writes the first line into the page, so
 * that it is there without a request and without a script. It lies on the lower edge of the window: coming and going, it moves nothing.
 */
export function StatusLine() {
  const written = useRef<HTMLOutputElement>(null);
  // Only the first page has a line that the server wrote; one that is made here later has none, nor may it make markup of a text.
  const isHydrating = useInBrowser(() => false, true);
  const [first, setFirst] = useState<readonly StaleSource[] | null>(isHydrating ? null : []);
  useEffect(() => setFirst((known) => known ?? readWritten(written.current)), []);
  if (first !== null) return <LiveLine first={first} />;
  return (
    <output
      key="written"
      ref={written}
      className="status-line"
      // What the server has filled in differs from what was prerendered.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: '<!--status-line-->' }}
    />
  );
}

function readWritten(element: HTMLElement | null): readonly StaleSource[] {
  const text = element?.querySelector('p')?.dataset['stale'];
  return text === undefined ? [] : (JSON.parse(text) as readonly StaleSource[]);
}

function LiveLine({ first }: { readonly first: readonly StaleSource[] }) {
  const { data } = useQuery({
    queryKey: ['/api/sources'],
    queryFn: async ({ signal }) => (await readAnswer({ path: '/api/sources', signal }, staleSources)).stale ?? [],
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? askWhileWellMs : askWhileStaleMs),
  });
  return (
    <output key="live" className="status-line">
      {data.length > 0 && (
        <p className="wrap">
          {data.map((source) => (
            <Sentence key={source.source} source={source} />
          ))}
        </p>
      )}
    </output>
  );
}

function Sentence({ source }: { readonly source: StaleSource }) {
  const age = useAtTime((nowMs) => ageInWords(source.asOf, serverTimeMs(nowMs)), '');
  return <span>{staleSentence(source, (asOf) => `${timeOfDay(asOf)}, ${age}`)} </span>;
}
