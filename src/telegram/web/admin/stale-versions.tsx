import type { TelegramConfiguration } from '../../contract.ts';
import { differencesOf } from './stale-answer.ts';

interface StaleVersionsProps {
  readonly before: TelegramConfiguration;
  readonly current: TelegramConfiguration;
  /** What the admin is about to save. Left out: it is a deletion. */
  readonly yours?: { readonly field: string; readonly value: string };
  /** The same field as it is saved now. */
  readonly theirs?: string;
}

const orNone = (text: string): string => (text === '' ? 'none' : text);

/** Rulings R6: a save on top of somebody else's is refused, and both versions are shown. */
export function StaleVersions({ before, current, yours, theirs = '' }: StaleVersionsProps) {
  const others = differencesOf(before, current).filter(({ field }) => field !== yours?.field);
  return (
    <section role="alert" className="mt-5 border-l-4 border-stale pl-4" aria-label="Changed meanwhile">
      <p className="font-semibold">Somebody else changed this configuration while the dialog was open.</p>
      <dl className="mt-2 text-sm">
        {yours !== undefined && (
          <>
            <Version name={`${yours.field}, yours`} text={orNone(yours.value)} />
            <Version name={`${yours.field}, saved`} text={orNone(theirs)} />
          </>
        )}
        {others.map(({ field, before: was, now }) => (
          <Version key={field} name={field} text={`${was} became ${now}`} />
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
