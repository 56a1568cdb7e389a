import { consoleService } from './console/console-service.ts';
import { createDiscordControl } from './discord/create-discord-control.ts';
import type { DiscordControl } from './discord/discord-control.ts';
import type { DiscordServer } from './discord/discord-server.ts';
import { createDiscordServer } from './discord/discord-server.ts';
import { discordService } from './discord/discord-service.ts';
import { createFaultBoard } from './faults/fault-board.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import type { LivingMarket } from './living-market/living-market.ts';
import { createLivingMarket } from './living-market/living-market.ts';
import { marketService } from './marketplace/market-service.ts';
import { geckoService } from './prices/gecko-service.ts';
import { llamaService } from './prices/llama-service.ts';
import type { SeedOptions } from './seed/seed-world.ts';
import { createRateLimiter } from './service/rate-limit.ts';
import type { RequestLog } from './service/request-log.ts';
import { createRequestLog } from './service/request-log.ts';
import { startService } from './service/start-service.ts';
import type { RunningService, ServiceDefinition } from './service/start-service.ts';
import { suiService } from './sui/sui-service.ts';
import type { ChainControl } from './transactions/chain-control.ts';
import { createChainControl } from './transactions/chain-control.ts';
import type { TelegramControl } from './telegram/telegram-control.ts';
import { createTelegramControl } from './telegram/telegram-control.ts';
import type { TelegramServer } from './telegram/telegram-server.ts';
import { createTelegramServer } from './telegram/telegram-server.ts';
import { telegramService } from './telegram/telegram-service.ts';
import type { WalletBrowser } from './wallet-browser/wallet-browser.ts';
import { createWalletBrowser } from './wallet-browser/wallet-browser.ts';
import type { TreasuryKeys } from './wallets/people.ts';
import type { PendingTransaction } from './wallets/pending-transaction.ts';
import { createPendingTransaction } from './wallets/pending-transaction.ts';
import type { WalletControl } from './wallets/wallets.ts';
import { createWallets } from './wallets/wallets.ts';
import type { World, WorldControl } from './world/control.ts';
import { createWorld } from './world/control.ts';
import { numberFrom } from './world/derived-ids.ts';
import { findCollection } from './world/ownership.ts';

export type ServiceName =
  'sui' | 'archive' | 'market' | 'prices' | 'pricesFallback' | 'telegram' | 'discord' | 'walletBrowser' | 'console';

export type SandboxOptions = {
  /** 0 or omitted: any free port. */
  ports?: Partial<Record<ServiceName, number>>;
  seed?: Omit<SeedOptions, 'treasuryKeys'>;
  /** `multisig`: the treasury's address belongs to two people who must both sign. Omitted: it has a single key. */
  treasury?: TreasuryKeys;
  /** Any text: determines the ids and order of events after the start. Omitted: the same on every start. */
  runMark?: string;
  /** Market events happen on their own every few seconds. */
  livingMarket?: boolean;
  /** Enforces the public limits: 100 calls in 30 s at the full node, 30 a minute at the fallback prices. */
  rateLimits?: boolean;
  /** Telegram's limits on messages; enforced unless false. */
  telegramLimits?: boolean;
  /** Discord's limits on calls; enforced unless false. */
  discordLimits?: boolean;
  /** URL of the product for the browser with a wallet; can also be set later. */
  productUrl?: string;
  now?: () => Date;
};

export type SandboxFacts = {
  treasuryAddress: string;
  collectionType: string;
  network: 'mainnet';
  marketUser: string;
  marketKey: string;
  telegramBotToken: string;
  telegramBotUsername: string;
  discordBotToken: string;
  discordBotUsername: string;
  /** Also the application's id. */
  discordBotId: string;
};

export type Sandbox = {
  /** `market` is the whole address of the GraphQL endpoint. */
  urls: Urls;
  facts: SandboxFacts;
  /** Changes the outside world. */
  world: WorldControl;
  /** Sets and clears faults of the services. */
  faults: FaultBoard;
  requests: RequestLog;
  livingMarket: LivingMarket;
  /** People, chats and messages of the sandbox's Telegram. */
  telegram: TelegramControl;
  /** Servers, people and messages of the sandbox's Discord. */
  discord: DiscordControl;
  /** People with wallets and what they hold. */
  wallets: WalletControl;
  /** The chain: describes and executes transactions directly, without the wire. */
  chain: ChainControl;
  /** The transaction pasted on the console's wallets page. */
  pendingTransaction: PendingTransaction;
  /** The product in a browser with a wallet, once its URL is set. */
  walletBrowser: WalletBrowser;
  stop: () => Promise<void>;
};

const marketAccess = { user: 'sandbox', key: 'sandbox-market-key' };

type Ingredients = {
  context: World['context'];
  imageBaseUrl: () => string;
  telegramServer: TelegramServer;
  discordServer: DiscordServer;
  rateLimits: boolean;
  seed: number;
};

/** A new outside system is one folder with its definition and one line here. */
function outsideSystems(from: Ingredients): [ServiceName, ServiceDefinition][] {
  const { context, imageBaseUrl, telegramServer, discordServer, rateLimits, seed } = from;
  const limiter = (calls: number, perMs: number) =>
    rateLimits ? { refusal: createRateLimiter({ requests: calls, perMs }, Date.now) } : {};
  return [
    ['sui', { ...suiService(context, imageBaseUrl), ...limiter(100, 30_000) }],
    ['archive', { ...suiService(context, imageBaseUrl, 'archive'), ...limiter(100, 30_000) }],
    ['market', marketService(context, marketAccess, imageBaseUrl)],
    ['prices', llamaService(context, seed)],
    ['pricesFallback', { ...geckoService(context), ...limiter(30, 60_000) }],
    ['telegram', telegramService(telegramServer)],
    ['discord', discordService(discordServer)],
  ];
}

function factsOf({ state }: WorldControl, telegram: TelegramControl, discord: DiscordControl): SandboxFacts {
  return {
    treasuryAddress: state.treasuryAddress,
    collectionType: findCollection(state, state.ownCollectionKey).nftType,
    network: state.network,
    marketUser: marketAccess.user,
    marketKey: marketAccess.key,
    telegramBotToken: telegram.token,
    telegramBotUsername: telegram.bot.username ?? '',
    discordBotToken: discord.token,
    discordBotUsername: discord.bot.username,
    discordBotId: discord.bot.id,
  };
}

function seedOf({ seed }: SandboxOptions): number {
  return seed?.seed ?? 1;
}

function marketSeed(options: SandboxOptions): number {
  const { runMark = '' } = options;
  const ofWorld = seedOf(options);
  return runMark === '' ? ofWorld : numberFrom(`living-market/${ofWorld}@${runMark}`);
}

type Urls = Record<ServiceName, string>;

const noUrls: Urls = {
  sui: '',
  archive: '',
  market: '',
  prices: '',
  pricesFallback: '',
  telegram: '',
  discord: '',
  walletBrowser: '',
  console: '',
};

/** Creates the outside world before any service listens; `urls` is filled in later. */
function createOutside(options: SandboxOptions, urls: Urls) {
  const now = options.now ?? (() => new Date());
  const { treasury: treasuryKeys = 'single' } = options;
  const { context, control } = createWorld({ ...options.seed, treasuryKeys }, now, options.runMark);
  const telegramServer = createTelegramServer(now, options.runMark);
  const telegram = createTelegramControl(telegramServer);
  telegram.setLimits({ enforced: options.telegramLimits ?? true });
  const discordServer = createDiscordServer(now, options.runMark);
  const discord = createDiscordControl(discordServer, () => urls.discord.replace(/^http/, 'ws'));
  discord.setLimits({ enforced: options.discordLimits ?? true });
  const wallets = createWallets(control, treasuryKeys);
  const chain = createChainControl(context);
  const nodeUrl = (): string => urls.sui;
  const walletBrowser = createWalletBrowser({ wallets, chain, nodeUrl, network: context.state.network });
  if (options.productUrl !== undefined) walletBrowser.setTarget(options.productUrl);
  const definitions = outsideSystems({
    context,
    imageBaseUrl: () => new URL(urls.market).origin,
    telegramServer,
    discordServer,
    rateLimits: options.rateLimits ?? false,
    seed: seedOf(options),
  });
  const pendingTransaction = createPendingTransaction(wallets, chain);
  return { control, definitions, parts: { telegram, discord, wallets, walletBrowser, chain, pendingTransaction } };
}

/** Starts the outside world on 127.0.0.1; resolves once every service listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const urls = { ...noUrls };
  const { control, definitions, parts } = createOutside(options, urls);
  const { telegram, discord, walletBrowser } = parts;
  const faults = createFaultBoard();
  const requests = createRequestLog();
  const livingMarket = createLivingMarket(control, marketSeed(options));
  const driven = { faults, requests, livingMarket, ...parts };
  const running: RunningService[] = [];
  const start = async (name: ServiceName, definition: ServiceDefinition, board: FaultBoard, log: RequestLog) => {
    const service = await startService(definition, { board, log, port: options.ports?.[name] ?? 0 });
    running.push(service);
    urls[name] = name === 'market' ? `${service.url}/graphql` : service.url;
  };
  const stop = async (): Promise<void> => {
    livingMarket.stop();
    telegram.stop();
    discord.stop();
    await Promise.all(running.map((service) => service.stop()));
  };
  try {
    for (const [name, definition] of definitions) await start(name, definition, faults, requests);
    // Console and browser have their own fault boards, so that they answer when everything else is broken.
    await start('walletBrowser', walletBrowser.service, createFaultBoard(), createRequestLog());
    await start('console', consoleService(control, driven, urls), createFaultBoard(), createRequestLog());
  } catch (error) {
    await stop();
    throw error;
  }
  if (options.livingMarket) livingMarket.start();
  return { urls, facts: factsOf(control, telegram, discord), world: control, ...driven, stop };
}
