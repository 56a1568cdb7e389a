import { markLetter } from './foreign-text.ts';

/** A hewn pebble with a letter in the place of a foreign icon: nothing is loaded from where a token's author says. */
export function TokenMark({ symbol }: { readonly symbol: string | null }) {
  return (
    <svg viewBox="0 0 40 40" className="size-10 shrink-0" aria-hidden="true">
      <path d="M12,3 L28,2 L38,14 L36,29 L25,38 L11,36 L2,24 L4,11 Z" className="fill-raised stroke-line" />
      <path d="M12,3 L28,2 L22,13 L4,11 Z" className="fill-line opacity-60" />
      <text x="20" y="27" textAnchor="middle" className="fill-ink text-lg font-semibold">
        {markLetter(symbol)}
      </text>
    </svg>
  );
}
