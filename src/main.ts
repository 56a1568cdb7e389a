import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';

import type { Pool } from 'pg';

import type { AuditTables } from './audit/adapters/tables.ts';
import { type Audit, createAudit } from './audit/audit.ts';
import type { AuthTables } from './auth/adapters/tables.ts';
import { type Auth, createAuth } from './auth/auth.ts';
import { createMarketplaceClient } from './clients/marketplace/marketplace-client.ts';
import { createGeckoPrices } from './clients/prices/gecko-prices.ts';
import { createLlamaPrices } from './clients/prices/llama-prices.ts';
import { createPricesWithFallback } from './clients/prices/prices-with-fallback.ts';
import { createSuiClient } from './clients/sui/sui-client.ts';
import type { CollectionTables } from './collections/adapters/tables.ts';
import { type Collections, createCollections } from './collections/collections.ts';
import { type Config, readConfig } from './config.ts';
import { createChangeSignal } from './platform/change-signal.ts';
import { createDatabaseCheck } from './platform/check-database.ts';
import { createDatabase } from './platform/database/connect.ts';
import { migrate } from './platform/database/migrate.ts';
import { watchForEnd } from './platform/end-signals.ts';
import { createLeases, type LeaseTables } from './platform/leases.ts';
import { createLogger } from './platform/logger.ts';
import { createRateGate } from './platform/rate-gate.ts';
import { keptSessionSecret } from './platform/session-secret.ts';
import { startFailureSentence } from './platform/start-failure.ts';
import { createStopStack } from './platform/stop-stack.ts';
import { systemClock as clock } from './platform/system-clock.ts';
import { createServer } from './server/create-server.ts';
import type { HotBodies, HotBody } from './server/hot-bodies.ts';
import { makeHotJson } from './server/make-hot-body.ts';
import { createMetrics, type Metrics } from './server/metrics.ts';
import { loadPages, publicPages } from './server/pages.ts';
import { searchEngineFiles } from './server/robots.ts';
import { loadStaticFiles } from './server/static-files.ts';
import type { SiteConfig } from './shared/site-config.ts';
import { createSuiCoinReader } from './treasury/adapters/sui-coin-reader.ts';
import type { TreasuryTables } from './treasury/adapters/tables.ts';
import { trackingFor } from './telegram/adapters/collection-tracking.ts';
import { createSuiPrice } from './telegram/adapters/sui-price.ts';
import type { TelegramTables } from './telegram/adapters/tables.ts';
import { createTelegram } from './telegram/telegram.ts';
import { createTreasury, type Treasury } from './treasury/treasury.ts';

/**
 * The composition root: configuration, database, clients, capabilities, server. What starts last stops first.
 * Whatever goes wrong on the way is one sentence on stderr and exit code 1.
 */
const stopWithinMs = 4_800;
const distFolder = join(import.meta.dirname, '..', 'dist');

type Tables = LeaseTables & AuthTables & AuditTables & TreasuryTables & CollectionTables & TelegramTables;

const reading = readConfig();
if (!reading.ok) {
  console.error(reading.message);
  process.exit(1);
}
const { config } = reading;
const log = createLogger(config.logLevel);
const watch = watchForEnd(stopWithinMs);
const stops = createStopStack(log);

try {
  await start(config);
  console.log(`Sui Rocks is ready at ${config.publicUrl} (it listens on ${config.host}, port ${config.port}).`);
} catch (error) {
  log.debug({ err: error }, 'The start failed');
  console.error(startFailureSentence(error, config));
  watch.end({ exitCode: 1, reason: 'a failed start' });
}
const end = await watch.ended;
if (end.cause !== undefined) log.fatal({ err: end.cause }, `Ending because of ${end.reason}`);
await stops.stopAll();
process.exit(end.exitCode);

async function start(config: Config): Promise<void> {
  // First what is cheap to check: without a build nothing needs to be started.
  const files = await loadStaticFiles(join(distFolder, 'client'));
  const platform = await startPlatform(config);
  const metrics = createMetrics();
  const clients = createClients(config, metrics);

  const audit = createAudit(platform);
  const auth = await startAuth(config, platform, audit);

  const collections = createCollections({
    ...platform,
    ...clients,
    clock,
    log,
    settings: { ...treasurySettings(config), tracker: config.tracker },
  });
  const treasury = createTreasury({
    ...platform,
    clock,
    log,
    settings: treasurySettings(config),
    readers: {
      coins: createSuiCoinReader(clients.sui),
      holdings: collections,
      market: collections,
      prices: clients.prices,
    },
  });
  const telegram = createTelegram({
    ...platform,
    tracking: trackingFor(collections.activity),
    history: collections.activity,
    prices: createSuiPrice(clients.prices, clock),
    audit: audit.trail,
    clock,
    log,
    settings: telegramSettings(config),
  });
  if (telegram.listener !== null) collections.activity.addListener(telegram.listener);
  stops.add('telegram', () => telegram.stop());
  stops.add('collections', () => collections.stop());
  stops.add('treasury', () => treasury.stop());
  await Promise.all([collections.start(), treasury.start()]);
  telegram.start();
  addGauges(metrics, platform, treasury);

  const site = await loadSite(config, files, { collections, treasury });
  const server = await createServer({
    publicUrl: config.publicUrl,
    routes: [...auth.routes, ...audit.routes, ...treasury.routes, ...collections.routes, ...telegram.routes],
    hotBodies: site.hotBodies,
    notFoundPage: site.notFoundPage,
    authorize: auth.authorize,
    readiness: createDatabaseCheck(platform.pool),
    metrics,
    metricsToken: config.metricsToken,
    logger: log,
  });
  stops.add('server', () => server.stop());
  await server.listen(config);
}

async function startAuth({ admin }: Config, platform: Platform, audit: Audit): Promise<Auth> {
  const settings = { sessionSecret: platform.sessionSecret, admin };
  const auth = createAuth({ ...platform, clock, audit: audit.trail, settings });
  await auth.start();
  return auth;
}

type Platform = Awaited<ReturnType<typeof startPlatform>>;

async function startPlatform(config: Config) {
  const { db, pool, url, stop } = await createDatabase<Tables>({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    log,
    onLost: (cause) => watch.end({ exitCode: 1, reason: 'the loss of its database', cause }),
  });
  stops.add('database', stop);
  await migrate(pool, log);
  const sessionSecret = config.sessionSecret ?? (await keptSessionSecret(config.dataDir));
  const changes = await createChangeSignal({ url, pool, log });
  stops.add('change signal', () => changes.stop());
  // No two copies that run have the same name, though they may share a machine, or a process number in two containers.
  const copy = `${hostname()} ${process.pid} ${randomUUID()}`;
  const leases = createLeases(db, { holder: copy });
  return { db, pool, changes, leases, sessionSecret, copy };
}

function createClients({ sui, market, prices }: Config, { onAttempt }: Metrics) {
  // Public full nodes allow about 100 calls in 30 s for each address; a provider's node has its own rules.
  const isPublicNode = new URL(sui.grpcUrl).hostname.endsWith('.sui.io');
  const first = createLlamaPrices({ baseUrl: prices.apiUrl, onAttempt });
  const fallback = createGeckoPrices({ baseUrl: prices.fallbackUrl, onAttempt });
  return {
    sui: createSuiClient({
      network: sui.network,
      baseUrl: sui.grpcUrl,
      headers: sui.grpcHeaders,
      onAttempt,
      ...(isPublicNode ? { gate: createRateGate({ requests: 90, perMs: 30_000 }) } : {}),
    }),
    marketplace: createMarketplaceClient({ url: market.apiUrl, user: market.user, key: market.key, onAttempt }),
    prices: createPricesWithFallback({ first, fallback }),
  };
}

function treasurySettings(config: Config) {
  const { treasuryAddress, collectionType, explorerUrl } = config;
  return {
    network: config.sui.network,
    treasuryAddress,
    collectionType,
    explorerUrl,
    refreshMs: config.treasuryRefreshMs,
  };
}

function telegramSettings(config: Config) {
  const { telegram, publicUrl, explorerUrl, market } = config;
  const { hostname: marketHost } = new URL(market.apiUrl);
  // A marketplace on this machine serves its pictures from here as well, on whichever port.
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(marketHost);
  const trustedImageHosts = isHere ? ['localhost:*', '127.0.0.1:*', '[::1]:*'] : [];
  return { ...telegram, publicUrl, explorerUrl, trustedImageHosts };
}

/** Pages, files and hot answers in one look-up; what shows a snapshot is made again when that changes. */
async function loadSite(
  config: Config,
  files: ReadonlyMap<string, HotBody>,
  { collections, treasury }: { readonly collections: Collections; readonly treasury: Treasury },
): Promise<{ readonly hotBodies: HotBodies; readonly notFoundPage: () => HotBody }> {
  const pages = await loadPages({
    folder: join(distFolder, 'pages'),
    publicUrl: config.publicUrl,
    siteConfig: siteValues(config),
    now: () => clock.now(),
    snapshots: {
      'snapshot:treasury': () => treasury.noscriptHtml(),
      'snapshot:collection': () => collections.noscriptHtml(),
    },
  });
  let collectionFacts = makeHotJson(collections.factsSnapshot());
  treasury.onChange(() => pages.refresh('snapshot:treasury'));
  collections.onChange(() => {
    collectionFacts = makeHotJson(collections.factsSnapshot());
    pages.refresh('snapshot:collection');
  });
  const forSearchEngines = searchEngineFiles(config.publicUrl, Object.keys(publicPages));
  const hotBodies: HotBodies = (path) => {
    if (path === '/api/treasury/balance') return treasury.balanceBody() ?? undefined;
    if (path === '/api/collection') return collectionFacts;
    return pages.find(path) ?? files.get(path) ?? forSearchEngines.get(path);
  };
  return { hotBodies, notFoundPage: pages.notFound };
}

function siteValues(config: Config) {
  return {
    publicUrl: config.publicUrl,
    network: config.sui.network,
    explorerUrl: config.explorerUrl,
    treasuryAddress: config.treasuryAddress,
    collectionType: config.collectionType,
    linkTelegram: config.links.telegram,
    linkX: config.links.x,
    linkMarketplace: config.links.marketplace,
    linkMint: config.links.mint,
    linkBot: config.links.bot,
  } satisfies Omit<SiteConfig, 'currentYear'>;
}

function addGauges(metrics: Metrics, { pool }: { readonly pool: Pool }, treasury: Treasury): void {
  const connections = 'Database connections of this copy';
  metrics.addGauge('treasury_snapshot_age_seconds', 'Age of the published treasury', () =>
    treasury.snapshotAgeSeconds(),
  );
  metrics.addGauge('database_connections', `${connections}, open`, () => pool.totalCount);
  metrics.addGauge('database_connections_idle', `${connections}, idle`, () => pool.idleCount);
  metrics.addGauge('database_connections_awaited', 'Queries that wait for a connection', () => pool.waitingCount);
}
