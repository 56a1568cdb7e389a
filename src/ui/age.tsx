import { ageInWords, instantInWords } from './age-in-words.ts';
import { serverTimeMs } from './server-clock.ts';
import { useAtTime } from './use-at-time.ts';

/** '2 min ago', kept current; the exact time on demand. */
export function Age({ asOf, className = '' }: { readonly asOf: string; readonly className?: string }) {
  const exact = instantInWords(asOf);
  const words = useAtTime((nowMs) => ageInWords(asOf, serverTimeMs(nowMs)), exact);
  return (
    <time dateTime={asOf} title={exact} className={`age ${className}`}>
      {words}
    </time>
  );
}
