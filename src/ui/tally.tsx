const strokes = ['M5 2 3.5 22', 'M12.5 1 11.5 21.5', 'M19 2.5 19.5 22', 'M27.5 1.5 26 21'];
const across = 'M0.5 18 15 11 30.5 5';

/** A count the way a cave keeps it: strokes, every fifth across the four before. Decoration beside a number in words. */
export function Tally({ count, className = '' }: { readonly count: number; readonly className?: string }) {
  const bundles = Array.from({ length: Math.ceil(count / 5) }, (_, index) => Math.min(5, count - index * 5));
  return (
    <svg viewBox={`0 0 ${bundles.length * 40 - 8} 24`} className={`tally ${className}`} aria-hidden="true">
      {bundles.map((size, index) => (
        <path
          key={index}
          transform={`translate(${index * 40} 0)`}
          d={strokes.slice(0, Math.min(4, size)).join('') + (size === 5 ? across : '')}
        />
      ))}
    </svg>
  );
}
