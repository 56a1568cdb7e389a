/**
 * Exactly one text per value, so that hashes can be compared: keys sorted by their UTF-16 code units, no white space, whole numbers
 * only. The text is also canonical by RFC 8785. Amounts are strings of digits, because JSON numbers are not exact beyond 2^53.
 * Throws TypeError for other values, such as a fraction, undefined or a bigint.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`Canonical JSON cannot contain this ${typeof value}`);
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
