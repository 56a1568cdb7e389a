import { parseArgs } from 'node:util';
import { startSandbox } from './start-sandbox.ts';
import type { SandboxOptions, ServiceName } from './start-sandbox.ts';
import type { TreasuryKeys } from './wallets/people.ts';

/** `npm run sandbox`: the outside world in its own process. First line on stdout: one JSON object. */

const usage = `Options: --living-market  market events happen on their own (and the public rate limits apply)
  --rate-limits / --no-rate-limits
  --no-telegram-limits  any number of messages
  --no-discord-limits  any number of calls
  --port-sui N  --port-archive N  --port-market N  --port-prices N  --port-prices-fallback N  --port-telegram N  --port-discord N
  --port-console N
  --port-wallet-browser N  --product-url URL  a browser with a wallet, and the product's URL for it
  --seed N  --minted-rocks N
  --run-mark TEXT  ids made after the start are unique to this mark; without it every start makes the same ones
  --treasury-coin-types N --treasury-nfts N --treasury-kiosks N   a big treasury, for measurements
  --treasury single|multisig  who signs for the treasury: one key, or two people together`;

const number = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const optionKinds = {
  'living-market': flag,
  'rate-limits': flag,
  'telegram-limits': flag,
  'discord-limits': flag,
  seed: number,
  'run-mark': { type: 'string' },
  'minted-rocks': number,
  'port-sui': number,
  'port-archive': number,
  'port-market': number,
  'port-prices': number,
  'port-prices-fallback': number,
  'port-telegram': number,
  'port-discord': number,
  'port-console': number,
  'port-wallet-browser': number,
  'product-url': { type: 'string' },
  'treasury-coin-types': number,
  'treasury-nfts': number,
  'treasury-kiosks': number,
  treasury: { type: 'string' },
} as const;

function readOptions(args: string[]): SandboxOptions {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: optionKinds,
  });
  const wholeNumber = (name: keyof typeof values): number | undefined => {
    const given = values[name];
    if (typeof given !== 'string') return undefined;
    if (!/^\d{1,9}$/.test(given)) throw new Error(`--${name} takes a whole number, not '${given}'`);
    return Number(given);
  };
  const seed = wholeNumber('seed');
  const mintedRocks = wholeNumber('minted-rocks');
  const coinTypes = wholeNumber('treasury-coin-types') ?? 0;
  const nfts = wholeNumber('treasury-nfts') ?? 0;
  const kiosks = wholeNumber('treasury-kiosks') ?? 0;
  const portFlags = {
    sui: 'port-sui',
    archive: 'port-archive',
    market: 'port-market',
    prices: 'port-prices',
    telegram: 'port-telegram',
    discord: 'port-discord',
    console: 'port-console',
    walletBrowser: 'port-wallet-browser',
  } as const;
  const ports: Partial<Record<ServiceName, number>> = { pricesFallback: wholeNumber('port-prices-fallback') ?? 0 };
  for (const [name, flagName] of Object.entries(portFlags)) ports[name as ServiceName] = wholeNumber(flagName) ?? 0;
  const livingMarket = values['living-market'] ?? false;
  return {
    ports,
    livingMarket,
    rateLimits: values['rate-limits'] ?? livingMarket,
    telegramLimits: values['telegram-limits'] ?? true,
    discordLimits: values['discord-limits'] ?? true,
    treasury: treasuryKeysOf(values.treasury),
    ...onlyGiven({ runMark: values['run-mark'], productUrl: values['product-url'] }),
    seed: {
      ...(seed !== undefined && { seed }),
      ...(mintedRocks !== undefined && { mintedRocks }),
      ...(coinTypes + nfts + kiosks > 0 && { treasury: { coinTypes, nfts, kiosks } }),
    },
  };
}

function treasuryKeysOf(given: string | undefined): TreasuryKeys {
  if (given === undefined || given === 'single') return 'single';
  if (given === 'multisig') return given;
  throw new Error(`--treasury takes single or multisig, not '${given}'`);
}

function onlyGiven<T extends Record<string, string | undefined>>(texts: T): { [Name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as {
    [Name in keyof T]?: string;
  };
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return console.log(usage);
  const sandbox = await startSandbox(readOptions(process.argv.slice(2)));
  console.log(JSON.stringify({ urls: sandbox.urls, facts: sandbox.facts }));
  const stop = (): void => {
    sandbox.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exit(1);
});
