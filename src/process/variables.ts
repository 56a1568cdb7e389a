import { z } from 'zod';

/** Kinds of environment variables, each with a description of what it must be, and a reader for a set of them. */

export type Given = Readonly<Record<string, string | undefined>>;

/** A variable that must be what `mustBe` says; `read` returns null or throws where it is not. The value is never repeated. */
export const variable = <T>(mustBe: string, read: (text: string) => T | null) =>
  z.string({ error: `is missing: it must be ${mustBe}` }).transform((text, context) => {
    try {
      const value = read(text);
      if (value !== null) return value;
    } catch {
      // Not what it must be.
    }
    context.addIssue({ code: 'custom', message: `must be ${mustBe}` });
    return z.NEVER;
  });
export const matching = (mustBe: string, pattern: RegExp) =>
  variable(mustBe, (text) => (pattern.test(text) ? text : null));
export const oneOf = <const T extends string>(allowed: readonly T[]) =>
  variable(`one of ${allowed.join(', ')}`, (text) => allowed.find((each) => each === text) ?? null);
export const wholeNumber = (min: number, max: number) =>
  variable(`a whole number from ${min} to ${max}`, (text) =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null,
  );
export const line = (min: number, max: number) =>
  matching(`one line of ${min} to ${max} characters`, new RegExp(`^[^\\r\\n\\0]{${min},${max}}$`));
/** Sent in a header, or compared with one: any other character, such as a copied `…`, would make each call fail. */
export const key = (min: number) =>
  matching(`${min} to 500 characters of plain ASCII`, new RegExp(`^[ -~]{${min},500}$`));

const webAddress = (mustBe: string, fits: (url: URL) => boolean) =>
  variable(mustBe, (text) => {
    const url = new URL(text);
    const isWeb = /^https?:$/.test(url.protocol) && url.username + url.password === '';
    return isWeb && fits(url) ? text.replace(/\/+$/, '') : null;
  });
export const origin = webAddress(
  'an origin such as https://example.com, without a path',
  ({ pathname, search, hash }) => `${pathname}${search}${hash}` === '/',
).transform((text) => new URL(text).origin);
/** Paths can be appended to it. */
const isBase = ({ search, hash }: URL): boolean => search + hash === '';
export const serviceUrl = webAddress(
  'an address that begins with https:// or http://, without username, password, query or fragment',
  isBase,
);
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
const safe = 'an address that begins with https:// (http:// on this machine only)';
export const link = webAddress(safe, isSafe);
export const linkBase = webAddress(`${safe}, without query or fragment`, (url) => isSafe(url) && isBase(url));
/** With a wider network, nearly every caller would be trusted. */
const network = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((text) => Number(text.split('/')[1] ?? 8) >= 8);
export const proxies = variable(
  'addresses, or networks no wider than /8 such as 172.16.0.0/12, separated by commas',
  (text) => z.array(network).parse(text.split(',').map((part) => part.trim())),
);
/** `Headers` refuses characters that are not allowed in a header. */
export const headers = variable('a JSON object of header names and texts such as {"x-api-key":"…"}', (text) =>
  Object.fromEntries(new Headers(z.record(z.string(), z.string()).parse(JSON.parse(text)))),
);

/**
 * Unknown variables are ignored; an empty one counts as unset, as container tools pass unset variables that way.
 * `message` names every bad variable and what it must be; it never contains a value.
 */
export function readWith<T>(
  schema: z.ZodType<T>,
  given: Given,
  alsoCheck: (env: Given) => readonly string[] = () => [],
) {
  const env = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text?.trim() || undefined]));
  const parsed = schema.safeParse(env);
  const issues = parsed.error?.issues ?? [];
  const problems = [...issues.map(({ path, message }) => `${String(path[0])} ${message}.`), ...alsoCheck(env)];
  if (parsed.success && problems.length === 0) return { ok: true, config: parsed.data } as const;
  const count = problems.length === 1 ? 'One variable is' : `${problems.length} variables are`;
  const message = [`The configuration is not usable. ${count} wrong:`, ...problems].join('\n  ');
  return { ok: false, message } as const;
}
