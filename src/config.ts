import * as parse from './config-parsers.ts';
import type { Parser } from './config-parsers.ts';

const networks = ['mainnet', 'testnet', 'devnet', 'localnet'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const dayMs = 86_400_000;

/** Everything this installation can be told (rulings R1), parsed and canonical. Durations in milliseconds. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The origin people type, without a trailing slash. */
  readonly publicUrl: string;
  /** Besides this machine: addresses and networks of proxies whose word counts for where a call comes from. */
  readonly trustedProxies: readonly string[];
  /** null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** null: made at the first start and kept in `dataDir`. */
  readonly sessionSecret: string | null;
  readonly admin: { readonly username: string; readonly password: string } | null;
  readonly sui: {
    readonly network: (typeof networks)[number];
    readonly grpcUrl: string;
    readonly grpcHeaders: Readonly<Record<string, string>>;
  };
  readonly treasuryAddress: string;
  readonly collectionType: string;
  readonly market: { readonly apiUrl: string; readonly user: string | null; readonly key: string | null };
  readonly prices: { readonly apiUrl: string; readonly fallbackUrl: string };
  readonly telegram: {
    readonly botToken: string | null;
    readonly apiUrl: string;
    readonly mode: 'polling' | 'webhook';
  };
  readonly discord: { readonly botToken: string | null; readonly apiUrl: string };
  /** Where the owner is told what fails; null: nowhere. */
  readonly alarmChat: parse.AlarmChat | null;
  readonly tracker: { readonly pollMinMs: number; readonly pollMaxMs: number };
  readonly treasuryRefreshMs: number;
  readonly recheckIntervalMs: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly metricsToken: string | null;
  readonly links: {
    readonly telegram: string;
    readonly x: string;
    readonly marketplace: string;
    readonly mint: string;
    readonly bot: string;
  };
  readonly explorerUrl: string;
}

/** Where the data is, for tools that need nothing else. */
export type DatabasePlace = Pick<Config, 'databaseUrl' | 'dataDir'>;

type Environment = Readonly<Record<string, string | undefined>>;

/** `message` names every bad variable, what is wrong and what is expected; it never holds a value. */
export type ConfigReading = Reading<Config>;
type Reading<T> = { readonly ok: true; readonly config: T } | { readonly ok: false; readonly message: string };

interface Reader {
  /** The variable's value, or `otherwise` when it is unset or empty. */
  readonly take: <T, U>(name: string, parser: Parser<T>, otherwise: U) => T | U;
  /** A variable without a default. */
  readonly need: (name: string, parser: Parser<string>, meaning: string) => string;
  readonly complain: (problem: string) => void;
  readonly problems: readonly string[];
}

/**
 * Reads and validates the environment (rulings R1). Unknown variables are ignored; an empty one counts as unset,
 * as container tools hand on unset variables that way.
 */
export function readConfig(environment: Environment = process.env): ConfigReading {
  return readWith(environment, readAll);
}

/** As `readConfig`, of where the data is alone. */
export function readDatabasePlace(environment: Environment = process.env): Reading<DatabasePlace> {
  return readWith(environment, readPlace);
}

function readWith<T>(environment: Environment, read: (reader: Reader) => T): Reading<T> {
  const reader = createReader(environment);
  const config = read(reader);
  if (reader.problems.length === 0) return { ok: true, config };
  const count = reader.problems.length === 1 ? 'One variable is' : `${reader.problems.length} variables are`;
  const lines = reader.problems.map((problem) => `  ${problem}`).join('\n');
  return { ok: false, message: `The configuration is not usable. ${count} wrong:\n${lines}` };
}

function createReader(environment: Environment): Reader {
  const problems: string[] = [];
  const textOf = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const parseInto = <T, U>(name: string, parser: Parser<T>, text: string, otherwise: U): T | U => {
    const parsed = parser(text);
    if (parsed.ok) return parsed.value;
    problems.push(`${name} ${parsed.problem}.`);
    return otherwise;
  };
  return {
    problems,
    complain: (problem) => problems.push(problem),
    take: (name, parser, otherwise) => {
      const text = textOf(name);
      return text === undefined ? otherwise : parseInto(name, parser, text, otherwise);
    },
    need: (name, parser, meaning) => {
      const text = textOf(name);
      if (text !== undefined) return parseInto(name, parser, text, '');
      problems.push(`${name} is missing, ${meaning} is expected.`);
      return '';
    },
  };
}

function readAll(reader: Reader): Config {
  const { take } = reader;
  const port = take('PORT', parse.wholeNumber(1, 65_535), 3000);
  const network = take('SUI_NETWORK', parse.oneOf(networks), 'mainnet');
  return {
    port,
    host: take('HOST', parse.host, '127.0.0.1'),
    publicUrl: take('PUBLIC_URL', parse.origin, `http://localhost:${port}`),
    trustedProxies: take('TRUSTED_PROXIES', parse.networks, []),
    ...readStorage(reader),
    admin: readAdmin(reader),
    sui: {
      network,
      grpcUrl: take('SUI_GRPC_URL', parse.serviceUrl, publicFullNode(network)),
      grpcHeaders: take('SUI_GRPC_HEADERS', parse.headers, {}),
    },
    treasuryAddress: reader.need('TREASURY_ADDRESS', parse.suiAddress, 'the 0x… address of the public treasury wallet'),
    collectionType: reader.need('COLLECTION_TYPE', parse.suiType, "the collection's type 0x…::module::Nft"),
    ...readServices(reader),
    alarmChat: readAlarmChat(reader),
    tracker: readTracker(reader),
    treasuryRefreshMs: take('TREASURY_REFRESH_MS', parse.wholeNumber(1_000, dayMs), 60_000),
    recheckIntervalMs: take('RECHECK_INTERVAL_MS', parse.wholeNumber(1_000, dayMs), 3_600_000),
    logLevel: take('LOG_LEVEL', parse.oneOf(logLevels), 'info'),
    metricsToken: take('METRICS_TOKEN', parse.keyText(8), null),
    links: readLinks(reader),
    explorerUrl: take('EXPLORER_URL', parse.publicLink, `https://suiscan.xyz/${network}`),
  };
}

function readStorage(reader: Reader): Pick<Config, 'databaseUrl' | 'dataDir' | 'sessionSecret'> {
  const { databaseUrl, dataDir } = readPlace(reader);
  const secretProblemCount = reader.problems.length;
  const sessionSecret = reader.take('SESSION_SECRET', parse.boundedText(32, 500), null);
  // Copies of the server on one PostgreSQL must share the secret, which a file in one copy's folder cannot do.
  if (databaseUrl !== null && sessionSecret === null && reader.problems.length === secretProblemCount) {
    reader.complain('SESSION_SECRET is missing, at least 32 characters are expected when DATABASE_URL is set.');
  }
  return { databaseUrl, dataDir, sessionSecret };
}

function readPlace({ take }: Reader): DatabasePlace {
  return {
    databaseUrl: take('DATABASE_URL', parse.databaseUrl, null),
    dataDir: take('DATA_DIR', parse.boundedText(1, 1_000), './data'),
  };
}

function readAdmin(reader: Reader): Config['admin'] {
  const problemCount = reader.problems.length;
  // Specification 5: at least 2 and at least 4 characters.
  const username = reader.take('ADMIN_USERNAME', parse.boundedText(2, 64), null);
  const password = reader.take('ADMIN_PASSWORD', parse.boundedText(4, 200), null);
  if (username !== null && password !== null) return { username, password };
  const missing = username === null ? 'ADMIN_USERNAME' : 'ADMIN_PASSWORD';
  if ((username ?? password) !== null && reader.problems.length === problemCount) {
    reader.complain(`${missing} is missing, ADMIN_USERNAME and ADMIN_PASSWORD are expected together.`);
  }
  return null;
}

function readServices({ take }: Reader): Pick<Config, 'market' | 'prices' | 'telegram' | 'discord'> {
  return {
    market: {
      apiUrl: take('MARKET_API_URL', parse.serviceUrl, 'https://api.indexer.xyz/graphql'),
      user: take('MARKET_API_USER', parse.keyText(1), null),
      key: take('MARKET_API_KEY', parse.keyText(1), null),
    },
    prices: {
      apiUrl: take('PRICES_API_URL', parse.serviceUrl, 'https://coins.llama.fi'),
      fallbackUrl: take('PRICES_FALLBACK_URL', parse.serviceUrl, 'https://api.geckoterminal.com'),
    },
    telegram: {
      botToken: take('TELEGRAM_BOT_TOKEN', parse.keyText(1), null),
      apiUrl: take('TELEGRAM_API_URL', parse.serviceUrl, 'https://api.telegram.org'),
      mode: take('TELEGRAM_MODE', parse.oneOf(['polling', 'webhook']), 'polling'),
    },
    discord: {
      botToken: take('DISCORD_BOT_TOKEN', parse.keyText(1), null),
      apiUrl: take('DISCORD_API_URL', parse.serviceUrl, 'https://discord.com/api'),
    },
  };
}

function readTracker(reader: Reader): Config['tracker'] {
  const pollMinMs = reader.take('TRACKER_POLL_MIN_MS', parse.wholeNumber(100, dayMs), 30_000);
  const pollMaxMs = reader.take('TRACKER_POLL_MAX_MS', parse.wholeNumber(100, dayMs), Math.max(45_000, pollMinMs));
  if (pollMaxMs < pollMinMs) {
    reader.complain('TRACKER_POLL_MAX_MS is below TRACKER_POLL_MIN_MS, at least as much is expected.');
  }
  return { pollMinMs, pollMaxMs };
}

function readAlarmChat(reader: Reader): Config['alarmChat'] {
  const chat = reader.take('ALARM_CHAT', parse.alarmChat, null);
  const tokenName = chat?.platform === 'discord' ? 'DISCORD_BOT_TOKEN' : 'TELEGRAM_BOT_TOKEN';
  // The bot of that platform is who speaks.
  if (chat !== null && reader.take(tokenName, parse.boundedText(1, 500), null) === null) {
    reader.complain(`${tokenName} is missing, it is expected when ALARM_CHAT names a ${chat.platform} chat.`);
  }
  return chat;
}

function readLinks({ take }: Reader): Config['links'] {
  const collection = 'https://www.tradeport.xyz/sui/collection/sui-rocks';
  return {
    telegram: take('LINK_TELEGRAM', parse.publicLink, 'https://t.me/suirocks'),
    x: take('LINK_X', parse.publicLink, 'https://x.com/suirocks'),
    marketplace: take('LINK_MARKETPLACE', parse.publicLink, `${collection}?bottomTab=trades&tab=items`),
    mint: take('LINK_MINT', parse.publicLink, `${collection}?tab=mint&bottomTab=trades`),
    bot: take('LINK_BOT', parse.publicLink, 'https://t.me/SuiRocksBot'),
  };
}

function publicFullNode(network: Config['sui']['network']): string {
  return network === 'localnet' ? 'http://127.0.0.1:9000' : `https://fullnode.${network}.sui.io:443`;
}
