import type * as z from 'zod/mini';
import { instantInWords } from '../../ui/age-in-words.ts';
import { Age } from '../../ui/age.tsx';
import { orNull, readable, rowId, textOrNone } from '../../ui/api/answer-schema.ts';
import { Badge } from '../../ui/badge.tsx';
import { auditAnswer } from '../contract.ts';

/** GET /api/audit (rulings R6). */
export const auditPage = readable(auditAnswer, ['entries'], {
  'entries.id': rowId,
  nextBefore: orNull(rowId),
  name: textOrNone,
  action: textOrNone,
  label: textOrNone,
});
type AuditEntry = z.output<typeof auditPage>['entries'][number];

type ActorKind = NonNullable<NonNullable<AuditEntry['actor']>['kind']>;

const kinds: Readonly<Record<ActorKind, string>> = {
  admin: 'Admin',
  user: 'User',
  telegram: 'Telegram',
  discord: 'Discord',
  system: 'System',
  command: 'Command line',
};

interface EntryProps {
  readonly entry: AuditEntry;
  /** Pressing a name filters the log by it. */
  readonly onNarrow: (to: Readonly<Partial<Record<'actor' | 'action' | 'subject', string>>>) => void;
}

export function Entry({ entry, onNarrow }: EntryProps) {
  const { at, actor, action, subject, before, after } = entry;
  return (
    <li className="grid gap-x-6 gap-y-1 px-5 py-3.5 wrap-anywhere lg:grid-cols-[11rem_13rem_minmax(0,1fr)] lg:items-baseline">
      <p className="text-[0.875rem] text-quiet">
        <Age asOf={at} none="Time not known" />{' '}
        {at && <span className="before:content-['·_'] lg:block lg:before:content-none">{instantInWords(at)}</span>}
      </p>
      <div className="flex flex-wrap content-start items-baseline gap-x-2 gap-y-1">
        {actor === null ? (
          'Not known'
        ) : (
          <Narrow text={actor.name} onClick={() => onNarrow({ actor: exactly(actor.kind, actor.name) })} />
        )}
        {actor !== null && actor.kind !== null && <Badge>{kinds[actor.kind]}</Badge>}
      </div>
      <div>
        <p>
          <Narrow text={actionInWords(action)} onClick={() => onNarrow({ action })} />
          {subject !== null && (
            <>
              <span className="text-quiet">: </span>
              <Narrow
                text={subject.label}
                onClick={() =>
                  onNarrow({ subject: subject.id === null ? subject.label : exactly(subject.kind, subject.id) })
                }
              />
            </>
          )}
        </p>
        <Difference changes={differenceOf(before, after)} isChange={before !== null && after !== null} />
      </div>
    </li>
  );
}

/** As GET /api/audit takes it: others may have the same id, or a name that begins with this one. */
const exactly = (kind: string | null, what: string): string => (kind === null ? what : `${kind}:${what}`);

const Narrow = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) => (
  <button type="button" className="audit-narrow" onClick={onClick} title={`Show only: ${text}`}>
    {text}
  </button>
);

interface DifferenceProps {
  readonly changes: readonly Change[];
  /** The entry has a before and an after: they are compared field by field. */
  readonly isChange: boolean;
}

/** An entry with only one side, as of something created or deleted, may have many fields: one line of them, all of them on demand. */
function Difference({ changes, isChange }: DifferenceProps) {
  if (changes.length === 0) return null;
  if (isChange) return <Fields changes={changes} />;
  const { line, isAll } = inOneLine(changes);
  return (
    <>
      {line !== '' && <p className="text-[0.9375rem] text-quiet">{line}</p>}
      {!isAll && (
        <details className="audit-fold">
          <summary>Details</summary>
          <Fields changes={changes} />
        </details>
      )}
    </>
  );
}

const Fields = ({ changes }: { readonly changes: readonly Change[] }) => (
  <dl className="mt-1.5 text-[0.9375rem]">
    {changes.slice(0, fieldsMax).map(({ field, before, after }) => (
      <div key={field} className="flex flex-wrap gap-x-3 md:flex-nowrap">
        <dt className="text-quiet md:w-48 md:flex-none">{field}</dt>
        <dd>
          {before !== null && <del className="text-loss">{before}</del>}
          {before !== null && after !== null && (
            <>
              <span aria-hidden="true"> → </span>
              <span className="sr-only"> became </span>
            </>
          )}
          {after !== null && <ins className="text-gain no-underline">{after}</ins>}
        </dd>
      </div>
    ))}
    {changes.length > fieldsMax && <div>and {changes.length - fieldsMax} more</div>}
  </dl>
);

/** A changed list may have many more. */
const fieldsMax = 200;

type JsonObject = Readonly<Record<string, unknown>>;

/** One field that an action changed. null: the field was not there. */
interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** How JSON writes a Date. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** `{a: {b: [1]}}` as `a.b 1: 1`: nested fields are named by their path, list elements by their position. */
function flatten(value: unknown, path: readonly string[]): readonly (readonly [string, unknown])[] {
  const inner = partsOf(value, path);
  if (inner.length === 0) return [[path.join('.'), value]];
  return inner.flatMap(([innerPath, part]) => flatten(part, innerPath));
}

/** The elements of a list, or the fields of an object, each with its path. */
function partsOf(value: unknown, path: readonly string[]): readonly (readonly [readonly string[], unknown])[] {
  if (Array.isArray(value))
    return value.map((element: unknown, index) => [[...path.slice(0, -1), `${path.at(-1)} ${index + 1}`], element]);
  return isObject(value) ? Object.entries(value).map(([key, field]) => [[...path, key], field]) : [];
}

const fieldsOf = (value: JsonObject | null) =>
  new Map(Object.entries(value ?? {}).flatMap(([key, inner]) => flatten(inner, [key])));

const fieldInWords = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[-_]/g, ' '))
    .join(' › ')
    .toLowerCase();

function valueInWords(value: unknown): string {
  if (value === null || value === '' || (isObject(value) && Object.keys(value).length === 0)) return 'none';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (typeof value === 'string' && isoTime.test(value)) return instantInWords(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an action changed, field by field, in their order. Unchanged fields are left out. */
export function differenceOf(before: JsonObject | null, after: JsonObject | null): readonly Change[] {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  const textIn = (fieldValues: ReadonlyMap<string, unknown>, field: string): string | null =>
    fieldValues.has(field) ? valueInWords(fieldValues.get(field)) : null;
  return fields
    .filter((field) => JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({ field: fieldInWords(field), before: textIn(old, field), after: textIn(now, field) }));
}

const separator = ' · ';
const lineLength = 90;
const valueLength = 28;

/** Fits in the line: no long ids and no empty values. */
const isShort = (text: string): boolean => text !== 'none' && text.length <= valueLength;

/** The first short fields of a created or deleted subject: 'collection name: Sui Rocks · max supply: 555'. */
export function inOneLine(changes: readonly Change[]): { readonly line: string; readonly isAll: boolean } {
  const parts = changes
    .map(({ field, before, after }) => ({ field, text: after ?? before ?? 'none' }))
    .filter(({ text }) => isShort(text))
    .map(({ field, text }) => `${field}: ${text}`);
  const fitting = parts.filter((_, index) => parts.slice(0, index + 1).join(separator).length <= lineLength);
  return { line: fitting.join(separator), isAll: fitting.length === changes.length };
}

/** `telegram-configuration-deleted` as 'Telegram configuration deleted'. */
export const actionInWords = (action: string): string => {
  const words = action.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
