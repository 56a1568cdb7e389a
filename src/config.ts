import { z } from 'zod';

import {
  type Given,
  headers,
  key,
  line,
  link,
  linkBase,
  matching,
  oneOf,
  origin,
  proxies,
  readWith,
  serviceUrl,
  variable,
  wholeNumber,
} from './process/variables.ts';
import { canonicalAddress, canonicalType } from './shared/sui-address.ts';

const dayMs = 86_400_000;
const nodeOf = (network: string): string =>
  network === 'localnet' ? 'http://127.0.0.1:9000' : `https://fullnode.${network}.sui.io:443`;
/** Mysten's archives of the whole chain history. */
const archiveOf = (network: string): string | null =>
  network === 'mainnet' || network === 'testnet' ? `https://archive.${network}.sui.io:443` : null;
const collectionPage = 'https://www.tradeport.xyz/sui/collection/sui-rocks';

/** null when unset: the part that needs it does without. DATABASE_URL unset: the embedded PostgreSQL in DATA_DIR. */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** Rulings R1: the specification's 30-45 s between two polls of a collection. */
const pollMs = { min: 30_000, max: 45_000 };

const alarmChatPattern = /^(?:telegram:-?[1-9]\d{0,15}|discord:\d{15,20})$/;

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
  SUI_ARCHIVE_URL: orNull(serviceUrl),
  SUI_GRPC_HEADERS: headers.default({}),
  TREASURY_ADDRESS: variable('the Sui address of the public treasury wallet', canonicalAddress),
  COLLECTION_TYPE: variable('the Sui type of the collection, such as 0x2::rocks::Nft', canonicalType),
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
  ALARM_CHAT: orNull(
    matching('telegram:<chat id> or discord:<channel id>, where the id is a number', alarmChatPattern),
  ),
  TRACKER_POLL_MIN_MS: wholeNumber(100, dayMs).default(pollMs.min),
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
  EXPLORER_URL: orNull(linkBase),
});

/** Every setting by its variable's name, read once; settings that follow from others are filled in. */
export type Config = ReturnType<typeof withDerived>;

const withDerived = (env: z.output<typeof environment>) => ({
  ...withNodes(withPublicUrl(env)),
  TRACKER_POLL_MAX_MS: env.TRACKER_POLL_MAX_MS ?? Math.max(pollMs.max, env.TRACKER_POLL_MIN_MS),
  EXPLORER_URL: (env.EXPLORER_URL ?? `https://suiscan.xyz/${env.SUI_NETWORK}`).replace(/\/+$/, ''),
});

const withPublicUrl = <Env extends Pick<z.output<typeof environment>, 'PORT' | 'PUBLIC_URL'>>(env: Env) => ({
  ...env,
  PUBLIC_URL: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
});

type Nodes = Pick<z.output<typeof environment>, 'SUI_NETWORK' | 'SUI_GRPC_URL' | 'SUI_ARCHIVE_URL'>;

const withNodes = <Env extends Nodes>(env: Env) => ({
  ...env,
  SUI_GRPC_URL: env.SUI_GRPC_URL ?? nodeOf(env.SUI_NETWORK),
  SUI_ARCHIVE_URL: env.SUI_ARCHIVE_URL ?? archiveOf(env.SUI_NETWORK),
});

/** Where the chain is read, for tools that need nothing else. */
export const readChainPlace = (network: string, given: Given = process.env) =>
  readWith(
    environment
      .pick({ SUI_NETWORK: true, SUI_GRPC_URL: true, SUI_ARCHIVE_URL: true, SUI_GRPC_HEADERS: true })
      .transform(withNodes),
    { ...given, SUI_NETWORK: network },
  );
/** Where the site listens and what its address is, for tools that need nothing else. */
export const readSitePlace = (given: Given = process.env) =>
  readWith(environment.pick({ PORT: true, HOST: true, PUBLIC_URL: true }).transform(withPublicUrl), given);
export const readConfig = (given: Given = process.env) => readWith(environment.transform(withDerived), given, misfits);
/** Where the data is, for tools that need nothing else. */
export const readDatabasePlace = (given: Given = process.env) =>
  readWith(environment.pick({ DATABASE_URL: true, DATA_DIR: true }), given);

/** One sentence for each variable that does not fit another one, or lacks it. */
function misfits(env: Given): readonly string[] {
  const found: string[] = [];
  const need = (name: string, why: string): void => {
    if (!env[name]) found.push(`${name} is missing: it is needed ${why}.`);
  };
  // Copies of the server on one PostgreSQL must share the secret: a file in one copy's folder is not enough.
  if (env['DATABASE_URL']) need('SESSION_SECRET', 'with DATABASE_URL');
  if (env['ADMIN_USERNAME']) need('ADMIN_PASSWORD', 'with ADMIN_USERNAME');
  if (env['ADMIN_PASSWORD']) need('ADMIN_USERNAME', 'with ADMIN_PASSWORD');
  const alarmChat = env['ALARM_CHAT'] ?? '';
  if (alarmChatPattern.test(alarmChat)) {
    const token = alarmChat.startsWith('discord:') ? 'DISCORD_BOT_TOKEN' : 'TELEGRAM_BOT_TOKEN';
    need(token, 'by ALARM_CHAT: its bot posts there');
  }
  if (Number(env['TRACKER_POLL_MAX_MS']) < Number(env['TRACKER_POLL_MIN_MS'] ?? pollMs.min))
    found.push(`TRACKER_POLL_MAX_MS must be at least TRACKER_POLL_MIN_MS (${pollMs.min} when unset).`);
  return found;
}
