import { isIP } from 'node:net';

import { z } from 'zod';

import { canonicalAddress, canonicalType } from './shared/sui-address.ts';

const dayMs = 86_400_000;
const collectionPage = 'https://www.tradeport.xyz/sui/collection/sui-rocks';

/** A variable that must be what the sentence says; `read` answers null where it is not. The text itself is never repeated. */
const variable = <T>(mustBe: string, read: (text: string) => T | null) =>
  z.string({ error: `is missing: it must be ${mustBe}` }).transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: `must be ${mustBe}` });
    return z.NEVER;
  });
const matching = (mustBe: string, pattern: RegExp) => variable(mustBe, (text) => (pattern.test(text) ? text : null));
const oneOf = <const T extends string>(allowed: readonly T[]) =>
  variable(`one of ${allowed.join(', ')}`, (text) => allowed.find((each) => each === text) ?? null);
const wholeNumber = (min: number, max: number) =>
  variable(`a whole number from ${min} to ${max}`, (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null,
  );
const line = (min: number, max: number) =>
  matching(`one line of ${min} to ${max} characters`, new RegExp(`^[^\\r\\n\\0]{${min},${max}}$`));
/** Sent in a header, or compared with one: anything else in it, as a copied `…`, would fail at each call. */
const key = (min: number) => matching(`${min} to 500 characters of plain ASCII`, new RegExp(`^[ -~]{${min},500}$`));

const webUrl = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : null;
};
const isBare = ({ pathname, search, hash }: URL): boolean => `${pathname}${search}${hash}` === '/';
const isThisMachine = ({ hostname }: URL): boolean => /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
const origin = variable('an origin such as https://example.com, without a path', (text) => {
  const url = webUrl(text);
  return url !== null && isBare(url) ? url.origin : null;
});
/** Paths are appended to it. */
const serviceUrl = variable('a web address without name, password, query or fragment', (text) => {
  const url = webUrl(text);
  return url !== null && url.search + url.hash === '' ? text.replace(/\/+$/, '') : null;
});
const link = variable('an address that begins with https:// (http:// on this machine only)', (text) => {
  const url = webUrl(text);
  return url !== null && (url.protocol === 'https:' || isThisMachine(url)) ? text.replace(/\/$/, '') : null;
});
/** Whole families of addresses are refused: every caller would be believed. */
const proxies = variable(
  'addresses, or networks no wider than /8 such as 172.16.0.0/12, separated by commas',
  (text) => {
    const listed = text.split(',').map((part) => part.trim());
    const isNetwork = (part: string): boolean => {
      const [address = '', prefix = '128', ...rest] = part.split('/');
      const bits = isIP(address) === 4 ? 32 : 128;
      const isPrefix =
        !part.includes('/') || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 8 && Number(prefix) <= bits);
      return isIP(address) !== 0 && isPrefix && rest.length === 0;
    };
    return listed.every(isNetwork) ? listed : null;
  },
);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/);
const headerText = z.string().regex(/^[\t -~\x80-\xff]*$/);
const headers = variable('a JSON object of header names and texts such as {"x-api-key":"…"}', (text) => {
  const { data } = z.preprocess(jsonOf, z.record(headerName, headerText)).safeParse(text);
  return data === undefined
    ? null
    : Object.fromEntries(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value]));
});
const alarmChat = variable('telegram:<chat id> or discord:<channel id>', (text) => {
  const [, platform, chatId] = /^(?:(?=telegram:-?[1-9]\d{0,15}$)|(?=discord:\d{15,20}$))(\w+):(.+)$/.exec(text) ?? [];
  return platform === undefined || chatId === undefined
    ? null
    : { platform: platform === 'discord' ? ('discord' as const) : ('telegram' as const), chatId };
});

/** Unset: null. */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** Rulings R1: every variable that the product reads, with its default. */
const environment = z.object({
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: matching('a host name or an IP address such as 127.0.0.1', /^[\w.:%-]{1,255}$/).default('127.0.0.1'),
  PUBLIC_URL: orNull(origin),
  TRUSTED_PROXIES: proxies.default([]),
  DATABASE_URL: orNull(matching('postgresql://user:password@host:5432/name', /^postgres(?:ql)?:\/\/\S+$/)),
  DATA_DIR: line(1, 1_000).default('./data'),
  SESSION_SECRET: orNull(line(32, 500)),
  // Specification 5: at least 2 and at least 4 characters.
  ADMIN_USERNAME: orNull(line(2, 64)),
  ADMIN_PASSWORD: orNull(line(4, 200)),
  SUI_NETWORK: oneOf(['mainnet', 'testnet', 'devnet', 'localnet']).default('mainnet'),
  SUI_GRPC_URL: orNull(serviceUrl),
  SUI_GRPC_HEADERS: headers.default({}),
  TREASURY_ADDRESS: variable('a Sui address, that of the public treasury wallet', canonicalAddress),
  COLLECTION_TYPE: variable('a Sui type such as 0x2::rocks::Nft, that of the collection', canonicalType),
  MARKET_API_URL: serviceUrl.default('https://api.indexer.xyz/graphql'),
  MARKET_API_USER: orNull(key(1)),
  MARKET_API_KEY: orNull(key(1)),
  PRICES_API_URL: serviceUrl.default('https://coins.llama.fi'),
  PRICES_FALLBACK_URL: serviceUrl.default('https://api.geckoterminal.com'),
  TELEGRAM_BOT_TOKEN: orNull(key(1)),
  TELEGRAM_API_URL: serviceUrl.default('https://api.telegram.org'),
  TELEGRAM_MODE: oneOf(['polling', 'webhook']).default('polling'),
  DISCORD_BOT_TOKEN: orNull(key(1)),
  DISCORD_API_URL: serviceUrl.default('https://discord.com/api'),
  ALARM_CHAT: orNull(alarmChat),
  TRACKER_POLL_MIN_MS: wholeNumber(100, dayMs).default(30_000),
  TRACKER_POLL_MAX_MS: orNull(wholeNumber(100, dayMs)),
  TREASURY_REFRESH_MS: wholeNumber(1_000, dayMs).default(60_000),
  RECHECK_INTERVAL_MS: wholeNumber(1_000, dayMs).default(3_600_000),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_TOKEN: orNull(key(8)),
  LINK_TELEGRAM: link.default('https://t.me/suirocks'),
  LINK_X: link.default('https://x.com/suirocks'),
  LINK_MARKETPLACE: link.default(`${collectionPage}?bottomTab=trades&tab=items`),
  LINK_MINT: link.default(`${collectionPage}?tab=mint&bottomTab=trades`),
  LINK_BOT: link.default('https://t.me/SuiRocksBot'),
  EXPLORER_URL: orNull(link),
});

/** What each variable is called where it is used. Durations in milliseconds; null: unset, and the part that needs it does without. */
const named = (env: z.output<typeof environment>) => ({
  port: env.PORT,
  host: env.HOST,
  /** The origin people type, without a trailing slash. */
  publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
  /** Besides this machine: proxies whose word counts for where a call comes from. */
  trustedProxies: env.TRUSTED_PROXIES,
  ...placeOf(env),
  /** null: made at the first start and kept in `dataDir`. */
  sessionSecret: env.SESSION_SECRET,
  admin:
    env.ADMIN_USERNAME === null || env.ADMIN_PASSWORD === null
      ? null
      : { username: env.ADMIN_USERNAME, password: env.ADMIN_PASSWORD },
  sui: {
    network: env.SUI_NETWORK,
    grpcUrl: env.SUI_GRPC_URL ?? publicFullNode(env.SUI_NETWORK),
    grpcHeaders: env.SUI_GRPC_HEADERS,
  },
  treasuryAddress: env.TREASURY_ADDRESS,
  collectionType: env.COLLECTION_TYPE,
  market: { apiUrl: env.MARKET_API_URL, user: env.MARKET_API_USER, key: env.MARKET_API_KEY },
  prices: { apiUrl: env.PRICES_API_URL, fallbackUrl: env.PRICES_FALLBACK_URL },
  telegram: { botToken: env.TELEGRAM_BOT_TOKEN, apiUrl: env.TELEGRAM_API_URL, mode: env.TELEGRAM_MODE },
  discord: { botToken: env.DISCORD_BOT_TOKEN, apiUrl: env.DISCORD_API_URL },
  /** Where the owner is told what fails. */
  alarmChat: env.ALARM_CHAT,
  tracker: {
    pollMinMs: env.TRACKER_POLL_MIN_MS,
    pollMaxMs: env.TRACKER_POLL_MAX_MS ?? Math.max(45_000, env.TRACKER_POLL_MIN_MS),
  },
  treasuryRefreshMs: env.TREASURY_REFRESH_MS,
  recheckIntervalMs: env.RECHECK_INTERVAL_MS,
  logLevel: env.LOG_LEVEL,
  metricsToken: env.METRICS_TOKEN,
  links: {
    telegram: env.LINK_TELEGRAM,
    x: env.LINK_X,
    marketplace: env.LINK_MARKETPLACE,
    mint: env.LINK_MINT,
    bot: env.LINK_BOT,
  },
  explorerUrl: env.EXPLORER_URL ?? `https://suiscan.xyz/${env.SUI_NETWORK}`,
});
export type Config = Readonly<ReturnType<typeof named>>;

/** Where the data is, for tools that need nothing else. `databaseUrl` null: the embedded PostgreSQL in `dataDir`. */
const place = environment.pick({ DATABASE_URL: true, DATA_DIR: true });
const placeOf = (env: z.output<typeof place>) => ({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR });

type Environment = Readonly<Record<string, string | undefined>>;
/** `message` names every bad variable and what it must be; it never holds a value. */
type Reading<T> = { readonly ok: true; readonly config: T } | { readonly ok: false; readonly message: string };

/** Unknown variables are ignored; an empty one counts as unset, as container tools hand on unset variables that way. */
export const readConfig = (env: Environment = process.env): Reading<Config> =>
  readWith(environment, named, env, together);
export const readDatabasePlace = (env: Environment = process.env): Reading<ReturnType<typeof placeOf>> =>
  readWith(place, placeOf, env, () => []);

function readWith<S extends z.ZodType, T>(
  schema: S,
  name: (parsed: z.output<S>) => T,
  given: Environment,
  checkTogether: (env: Environment) => readonly string[],
): Reading<T> {
  const env = Object.fromEntries(Object.entries(given).map(([each, text]) => [each, text?.trim() || undefined]));
  const parsed = schema.safeParse(env);
  const issues = parsed.error?.issues ?? [];
  const problems = [...issues.map(({ path, message }) => `${String(path[0])} ${message}.`), ...checkTogether(env)];
  if (parsed.success && problems.length === 0) return { ok: true, config: name(parsed.data) };
  const count = problems.length === 1 ? 'One variable is' : `${problems.length} variables are`;
  return {
    ok: false,
    message: `The configuration is not usable. ${count} wrong:\n${problems.map((each) => `  ${each}`).join('\n')}`,
  };
}

/** What one variable says of another. */
function together(env: Environment): readonly string[] {
  const token = env['ALARM_CHAT']?.startsWith('discord:') ? 'DISCORD_BOT_TOKEN' : 'TELEGRAM_BOT_TOKEN';
  const needs = (variableName: string, why: string): string => `${variableName} is missing: it is needed ${why}.`;
  return [
    // Copies of the server on one PostgreSQL share the secret, which a file in one copy's folder cannot do.
    ...(env['DATABASE_URL'] && !env['SESSION_SECRET'] ? [needs('SESSION_SECRET', 'with DATABASE_URL')] : []),
    ...(env['ADMIN_USERNAME'] && !env['ADMIN_PASSWORD'] ? [needs('ADMIN_PASSWORD', 'with ADMIN_USERNAME')] : []),
    ...(env['ADMIN_PASSWORD'] && !env['ADMIN_USERNAME'] ? [needs('ADMIN_USERNAME', 'with ADMIN_PASSWORD')] : []),
    ...(env['ALARM_CHAT'] && !env[token] ? [needs(token, 'by ALARM_CHAT: its bot is who speaks there')] : []),
    ...(Number(env['TRACKER_POLL_MAX_MS']) < Number(env['TRACKER_POLL_MIN_MS'] ?? 30_000)
      ? ['TRACKER_POLL_MAX_MS must be at least TRACKER_POLL_MIN_MS.']
      : []),
  ];
}

function publicFullNode(network: string): string {
  return network === 'localnet' ? 'http://127.0.0.1:9000' : `https://fullnode.${network}.sui.io:443`;
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
