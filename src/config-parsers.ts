import { isIP } from 'node:net';

import { canonicalAddress, canonicalType } from './shared/sui-address.ts';

/** What a parser makes of a variable's text: its value, or what is wrong with it. The text itself is never repeated. */
type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };
export type Parser<T> = (text: string) => Parsed<T>;

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (problem: string): Parsed<never> => ({ ok: false, problem });

const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/** True for hosts that never leave this machine; plain http is fine there. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Text of a bounded length without line breaks. */
export const boundedText =
  (minLength: number, maxLength: number): Parser<string> =>
  (text) => {
    const length = text.length === 1 ? 'one character' : `${text.length} characters`;
    if (text.length < minLength) return bad(`has ${length}, at least ${minLength} are expected`);
    if (text.length > maxLength) return bad(`has ${length}, at most ${maxLength} are expected`);
    return /[\r\n\0]/.test(text) ? bad('contains a line break, one line is expected') : good(text);
  };

/** A key that is sent in a header, or compared with one: whatever else is in it, as a copied `…`, would fail at each call. */
export const keyText =
  (minLength: number): Parser<string> =>
  (text) => {
    const bounded = boundedText(minLength, 500)(text);
    return bounded.ok && !/^[ -~]+$/.test(text)
      ? bad('has a character that no key has, plain ASCII is expected')
      : bounded;
  };

/** A name or an address to listen on; whether this machine has it is known only when it is tried. */
export const host: Parser<string> = (text) =>
  /^[\w.:%-]{1,255}$/.test(text)
    ? good(text)
    : bad('is no host name and no IP address, for instance 127.0.0.1 is expected');

/** Addresses and networks (CIDR), separated by commas. Whole families of addresses are refused: whoever calls would be believed. */
export const networks: Parser<readonly string[]> = (text) => {
  const expected = 'addresses or networks such as 172.16.0.0/12, separated by commas, are expected';
  const listed = text.split(',').map((part) => part.trim());
  for (const network of listed) {
    const [address = '', prefix, ...rest] = network.split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (bits === 0 || !isPrefix || rest.length > 0)
      return bad(`has a part that is no address and no network, ${expected}`);
    if (Number(prefix ?? bits) < 8) return bad(`has a network wider than /8, ${expected}`);
  }
  return good(listed);
};

export const wholeNumber =
  (min: number, max: number): Parser<number> =>
  (text) => {
    if (!/^\d{1,15}$/.test(text)) return bad(`is not a whole number, one from ${min} to ${max} is expected`);
    const value = Number(text);
    return value < min || value > max
      ? bad(`is out of range, a whole number from ${min} to ${max} is expected`)
      : good(value);
  };

export const oneOf =
  <const T extends string>(allowed: readonly T[]): Parser<T> =>
  (text) => {
    const found = allowed.find((candidate) => candidate === text);
    return found === undefined ? bad(`is not known, one of ${allowed.join(', ')} is expected`) : good(found);
  };

/** The address of a service: http or https, kept without a trailing slash so that paths can be appended. */
export const serviceUrl: Parser<string> = (text) => {
  const url = parseUrl(text);
  const expected = 'one starting with https:// is expected';
  if (url === null) return bad(`is no address, ${expected}`);
  if (!isWeb(url)) return bad(`is no web address, ${expected}`);
  if (url.username !== '' || url.password !== '')
    return bad('carries a name or password, which belong in another variable');
  if (url.search !== '' || url.hash !== '')
    return bad('carries a query or a fragment, an address to which paths can be added is expected');
  return good(text.replace(/\/+$/, ''));
};

/** A link people click: https, or http on this machine. */
export const publicLink: Parser<string> = (text) => {
  const url = parseUrl(text);
  if (url !== null && url.protocol === 'https:') return good(text.replace(/\/$/, ''));
  if (url !== null && url.protocol === 'http:' && isLoopback(url.hostname)) return good(text.replace(/\/$/, ''));
  return bad('is no https:// address, which is expected (http:// only on localhost)');
};

/** `https://sui.rocks`: scheme, host and port alone. */
export const origin: Parser<string> = (text) => {
  const url = parseUrl(text);
  const expected = 'something like https://example.com is expected';
  if (url === null) return bad(`is no address, ${expected}`);
  if (!isWeb(url)) return bad(`is no web address, ${expected}`);
  const bare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return bare ? good(url.origin) : bad('carries a path or a name, only scheme, host and port are expected');
};

export const databaseUrl: Parser<string> = (text) => {
  const url = parseUrl(text);
  const known = url !== null && /^postgres(?:ql)?:$/.test(url.protocol);
  return known ? good(text) : bad('is no PostgreSQL address, postgresql://user:password@host:5432/name is expected');
};

/** A JSON object of header names and texts. */
export const headers: Parser<Readonly<Record<string, string>>> = (text) => {
  const expected = 'a JSON object of header names and texts is expected, such as {"x-api-key":"…"}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad(`is not JSON, ${expected}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad(`is no object, ${expected}`);
  const entries: [string, string][] = [];
  for (const [name, content] of Object.entries(value)) {
    const usable =
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof content === 'string' && /^[\t -~\x80-\xff]*$/.test(content);
    if (!usable) return bad(`has a header that cannot be sent, ${expected}`);
    entries.push([name.toLowerCase(), content]);
  }
  return good(Object.fromEntries(entries));
};

export const suiAddress: Parser<string> = (text) => {
  const address = canonicalAddress(text);
  return address === null ? bad('is no Sui address, 0x and up to 64 hex digits are expected') : good(address);
};

export const suiType: Parser<string> = (text) => {
  const type = canonicalType(text);
  return type === null ? bad('is no Sui type, 0x…::module::Name is expected') : good(type);
};

/** A chat of one of the bots' platforms, by its id there. */
export interface AlarmChat {
  readonly platform: 'telegram' | 'discord';
  readonly chatId: string;
}

/** `telegram:-1001234567890` or `discord:700000000000000001`. */
export const alarmChat: Parser<AlarmChat> = (text) => {
  const telegram = /^telegram:(-?[1-9]\d{0,15})$/.exec(text)?.[1];
  if (telegram !== undefined) return good({ platform: 'telegram', chatId: telegram });
  const discord = /^discord:(\d{15,20})$/.exec(text)?.[1];
  if (discord !== undefined) return good({ platform: 'discord', chatId: discord });
  return bad('names no chat, telegram:<chat id> or discord:<channel id> is expected');
};
