import { instantInWords } from '../../ui/age-in-words.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One field that an action changed. null: the field was not there. */
export interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

const longestText = 160;
/** As JSON has a Date. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{a: {b: 1}}` as `a b: 1`: nested fields are named by their way there. */
function flatten(value: JsonObject, way: readonly string[] = []): readonly (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...way, key];
    return isObject(inner) && Object.keys(inner).length > 0 ? flatten(inner, here) : [[here.join('.'), inner] as const];
  });
}

const fieldInWords = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[-_]/g, ' '))
    .join(' › ')
    .toLowerCase();

function valueInWords(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (typeof value === 'string' && isoTime.test(value)) return instantInWords(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/**
 * What an action changed, field by field, in the order in which the fields come. Fields that stayed the same are left
 * out: the entry is about the difference.
 */
export function differenceOf(before: JsonObject | null, after: JsonObject | null): readonly Change[] {
  const [old, now] = [new Map(flatten(before ?? {})), new Map(flatten(after ?? {}))];
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

/** What reads well in a line: no long ids, and nothing of which there is none. */
const isShort = (text: string): boolean => text !== 'none' && text.length <= valueLength;

/** The first short fields of what was created or deleted: 'collection name: Sui Rocks · max supply: 555'. */
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
