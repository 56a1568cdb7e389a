import { ageInWords, instantInWords } from '../../treasury/web/age-in-words.ts';
import { useNow } from './use-now.ts';

/** '2 min ago', kept current; the exact time on demand. */
export function Age({ asOf, className = '' }: { readonly asOf: string; readonly className?: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={asOf} title={instantInWords(asOf)} className={`age ${className}`}>
      {nowMs === null ? instantInWords(asOf) : ageInWords(asOf, nowMs)}
    </time>
  );
}
