import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { temporaryDataDir } from './temporary-data-dir.ts';
import { until } from './until.ts';

export interface SandboxAddresses {
  readonly urls: {
    sui: string;
    archive: string;
    market: string;
    prices: string;
    pricesFallback: string;
    telegram: string;
    discord: string;
    /** The product in a browser with a wallet, see sandbox/wallet-browser. */
    walletBrowser: string;
    console: string;
  };
  readonly facts: {
    treasuryAddress: string;
    collectionType: string;
    marketUser: string;
    marketKey: string;
    telegramBotToken: string;
    telegramBotUsername: string;
    discordBotToken: string;
    discordBotUsername: string;
    discordBotId: string;
  };
}

/** The whole product as installed: production build, real database, the sandbox as its outside world. */
export interface Product {
  readonly url: string;
  readonly sandbox: SandboxAddresses;
  readonly process: Child;
  /** GET from the sandbox's control API: the `data` of its answer. */
  observe(path: string): Promise<unknown>;
  /** POST to the sandbox's control API: `/control/…`. */
  control(path: string, body?: unknown): Promise<unknown>;
  /** Stops the product and starts it again on the same data; returns how long it took from start to ready. */
  restart(signal?: NodeJS.Signals, whileDown?: () => Promise<unknown>): Promise<{ readonly startMs: number }>;
  stop(): Promise<void>;
}

/** The environment that points the product at that sandbox. */
export const productEnv = (sandbox: SandboxAddresses, port: number, dataDir: string): Record<string, string> => ({
  PORT: String(port),
  DATA_DIR: dataDir,
  SUI_GRPC_URL: sandbox.urls.sui,
  // With a key, the product skips the pauses that a public node requires.
  SUI_GRPC_HEADERS: '{"x-api-key":"test"}',
  SUI_ARCHIVE_URL: sandbox.urls.archive,
  MARKET_API_URL: sandbox.urls.market,
  MARKET_API_USER: sandbox.facts.marketUser,
  MARKET_API_KEY: sandbox.facts.marketKey,
  PRICES_API_URL: sandbox.urls.prices,
  PRICES_FALLBACK_URL: sandbox.urls.pricesFallback,
  TREASURY_ADDRESS: sandbox.facts.treasuryAddress,
  COLLECTION_TYPE: sandbox.facts.collectionType,
  TELEGRAM_API_URL: sandbox.urls.telegram,
  TELEGRAM_BOT_TOKEN: sandbox.facts.telegramBotToken,
  DISCORD_API_URL: `${sandbox.urls.discord}/api`,
  DISCORD_BOT_TOKEN: sandbox.facts.discordBotToken,
  TREASURY_REFRESH_MS: '4000',
  LOG_LEVEL: 'warn',
});

/** Generous, because the machine may be busy; the start-up bench measures the real time. */
const readyWithinMs = 120_000;

/** Starts the product; resolves when it answers at that address. */
export const startReady = async (url: string, env: Record<string, string>): Promise<Child> => {
  // As `npm start` does.
  const child = startChild('src/start.ts', [], env, ['--max-semi-space-size=4', '--max-old-space-size=1024']);
  const ended = child.exited.then((code) => {
    throw new Error(`The product ended with ${code} before it was ready:\n${child.output()}`);
  });
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    return answer?.status === 200;
  };
  const ready = until(`${url}/readyz answers 200`, isReady, readyWithinMs);
  await Promise.race([ready, ended]);
  return child;
};

const control = async (sandbox: SandboxAddresses, path: string, body: unknown = {}): Promise<unknown> => {
  const answer = await fetch(`${sandbox.urls.console}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

interface ProductOptions {
  readonly env?: Record<string, string>;
  readonly sandboxArgs?: readonly string[];
  /** Where to keep its database; measurements need a disk. */
  readonly dataIn?: 'memory' | 'disk';
}

export const startProduct = async (options: ProductOptions = {}): Promise<Product> => {
  const sandboxProcess = startChild('sandbox/main.ts', options.sandboxArgs ?? [], {});
  const sandbox = JSON.parse(await sandboxProcess.firstLine()) as SandboxAddresses;
  const dataDir = await temporaryDataDir(options.dataIn);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...productEnv(sandbox, port, dataDir.path), ...options.env };
  const clear = async (): Promise<void> => {
    await sandboxProcess.end();
    await dataDir.remove();
  };
  await control(sandbox, '/control/wallets/browse', { productUrl: url });
  let child = await startReady(url, env).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  return {
    url,
    sandbox,
    get process() {
      return child;
    },
    observe: async (path) => {
      const { data } = (await (await fetch(sandbox.urls.console + path)).json()) as { data: unknown };
      return data;
    },
    control: (path, body) => control(sandbox, path, body),
    restart: async (signal, whileDown) => {
      await child.end(signal);
      await whileDown?.();
      const startedAtMs = performance.now();
      child = await startReady(url, env);
      return { startMs: performance.now() - startedAtMs };
    },
    stop: async () => {
      await child.end();
      await clear();
    },
  };
};

/** The pages of a product that has just started say 'not read yet', and the browser complains about the 503. */
export const untilTreasuryIsRead = (url: string): Promise<void> =>
  until('the treasury is read', async () => (await fetch(`${url}/api/treasury/balance`)).ok, 60_000);

/** The first reading of the owners waits for a public node's rate limit: a minute. */
export const untilOwnersAreRead = (url: string): Promise<void> => {
  const anybody = `${url}/api/holders/0x${'1'.repeat(64)}`;
  return until('the owners of the rocks are read', async () => (await fetch(anybody)).ok, 120_000);
};
