import type { VersionDifference } from './stale-answer.ts';

interface StaleVersionsProps {
  /** 'configuration': what somebody else changed. */
  readonly what: string;
  /** What the admin is about to save, beside the same field as it is saved now. Empty: it is a deletion. */
  readonly yours?: readonly YoursAndSaved[];
  /** What else was changed meanwhile. */
  readonly others: readonly VersionDifference[];
}

export interface YoursAndSaved {
  readonly field: string;
  readonly yours: string;
  readonly saved: string;
}

const orNone = (text: string): string => (text === '' ? 'none' : text);

/** Rulings R6: a save on top of somebody else's is refused, and both versions are shown. */
export function StaleVersions({ what, yours = [], others }: StaleVersionsProps) {
  const mine = new Set(yours.map(({ field }) => field));
  return (
    <section role="alert" className="mt-5 border-l-4 border-stale pl-4" aria-label="Changed meanwhile">
      <p className="font-semibold">Somebody else changed this {what} while the dialog was open.</p>
      <dl className="mt-2 text-sm">
        {yours.flatMap(({ field, yours: ours, saved }) => [
          <Version key={`${field}, yours`} name={`${field}, yours`} text={orNone(ours)} />,
          <Version key={`${field}, saved`} name={`${field}, saved`} text={orNone(saved)} />,
        ])}
        {others
          .filter(({ field }) => !mine.has(field))
          .map(({ field, before, now }) => (
            <Version key={field} name={field} text={`${before} became ${now}`} />
          ))}
      </dl>
    </section>
  );
}

function Version({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="grid grid-cols-[9.5rem_minmax(0,1fr)] gap-x-3 py-1">
      <dt className="text-quiet">{name}</dt>
      <dd className="wrap-anywhere">
        <bdi>{text}</bdi>
      </dd>
    </div>
  );
}
