import type { SumLine } from './shown-sums.ts';

/** Under a list: what is not in its rows, and what all of it makes. */
export function SumLines({ lines }: { readonly lines: readonly (SumLine | null)[] }) {
  const shown = lines.filter((line) => line !== null);
  if (shown.length === 0) return null;
  return (
    <dl className="mt-3 space-y-1 px-4 text-sm sm:px-6">
      {shown.map(({ name, text }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-6">
          <dt className="text-quiet">{name}</dt>
          <dd className="font-semibold tabular-nums">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
