import { instantInWords } from '../../../ui/age-in-words.ts';
import { serverTimeMs } from '../../../ui/api/server-clock.ts';
import { useAtTime } from '../../../ui/age.tsx';
import { aheadInWords } from './member-words.ts';

/** 'in 12 min', kept current; the exact time on demand. */
export function Ahead({ at }: { readonly at: string }) {
  const exact = instantInWords(at);
  const words = useAtTime((nowMs) => aheadInWords(at, serverTimeMs(nowMs)), exact);
  return (
    <time dateTime={at} title={exact}>
      {words}
    </time>
  );
}
