import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { type Auth, createAuth } from './accounts/auth.ts';
import { type Audit, createAudit } from './audit/audit-log.ts';
import { type Config, readConfig } from './config.ts';
import { createDatabase } from './db/connect.ts';
import { migrate, watchForUpgrade } from './db/migrate.ts';
import { discordFigures } from './discord/bot.ts';
import { createDiscord, type Discord } from './discord/discord.ts';
import { createServer } from './http/create-server.ts';
import { createMetrics, type Metrics } from './http/operations.ts';
import { loadStaticFiles } from './http/ready/ready-answer.ts';
import { createJobs } from './jobs/jobs.ts';
import { type Collections, createCollections } from './market/collections.ts';
import { eventPurge } from './market/poll/event-store.ts';
import { collectionFigures } from './market/poll/tracked-store.ts';
import { createRocks } from './market/rocks/rocks.ts';
import { addOwnerAlarm, ownerSender } from './owner-alarm/owner-alarm.ts';
import { createChangeSignal } from './db/change-signal.ts';
import { createDatabaseCheck } from './db/outage.ts';
import { addDatabaseGauges, type Figure } from './db/figures.ts';
import { createLogger } from './process/logger.ts';
import { purgeJob, purgesOf, retentionFigures } from './retention/purge.ts';
import { createStopStack, startFailureSentence, storedSessionSecret, watchForEnd } from './process/start-and-stop.ts';
import { systemClock as clock } from './process/in-time.ts';
import { createRequestPriority } from './process/concurrency.ts';
import { productName } from './site/content.ts';
import { createSharePictures } from './site/share-pictures.ts';
import { loadSitePages } from './site/site-pages.ts';
import { createSourceWatch } from './site/source-watch.ts';
import { createClients } from './sources/create-clients.ts';
import { createImageShrinker } from './sources/pictures/shrink-image.ts';
import { telegramFigures } from './telegram/admin/bot-status.ts';
import { createSuiPrice } from './telegram/sui-price.ts';
import { createTelegram, type Telegram } from './telegram/telegram.ts';
import { treasuryFigures } from './treasury/treasury-store.ts';
import { createLedger, type Ledger } from './treasury/ledger/ledger.ts';
import { createTreasury, type Treasury, type TreasuryDeps } from './treasury/treasury.ts';
import { type Payouts, payoutsFrom } from './payouts/payouts.ts';

/**
 * The composition root: configuration, database, clients, capabilities, server. What starts last stops first.
 * A start that fails prints one sentence on stderr and exits with code 1.
 */
const stopWithinMs = 4_800;
const distFolder = join(import.meta.dirname, '..', 'dist');

/** Figures of the whole product from the database, for /metrics and the owner's alarms. */
const figuresOf = (config: Config): readonly Figure[] => [
  ...telegramFigures,
  ...discordFigures,
  ...collectionFigures(config.TRACKER_POLL_MAX_MS),
  ...treasuryFigures,
  ...retentionFigures,
];

const configuration = readConfig();
if (!configuration.ok) {
  console.error(configuration.message);
  process.exit(1);
}
const { config } = configuration;
const log = createLogger(config.LOG_LEVEL);
const watch = watchForEnd(stopWithinMs);
const stops = createStopStack(log);

try {
  await start(config);
} catch (error) {
  log.debug({ err: error }, 'The start failed');
  console.error(startFailureSentence(error, { host: config.HOST, port: config.PORT }));
  watch.end({ exitCode: 1, reason: 'a failed start' });
}
const end = await watch.ended;
if (end.cause !== undefined) log.fatal({ err: end.cause }, `Ending because of ${end.reason}`);
await stops.stopAll();
process.exit(end.exitCode);

async function start(config: Config): Promise<void> {
  // Cheap checks first: without a build nothing needs to be started.
  const files = await loadStaticFiles(join(distFolder, 'client'));
  const platform = await startPlatform(config);
  const metrics = createMetrics();
  const clients = createClients(config, metrics.onAttempt);

  const audit = createAudit({ db: platform.database });
  const auth = await startAuth(config, platform, audit);

  const collections = createCollections({ ...platform, ...clients, config, clock, log });
  const shrinker = createImageShrinker();
  stops.add('pictures', () => shrinker.stop());
  const visitors = createRequestPriority();
  const { activity, ownership } = collections;
  const shared = { ...platform, ...clients, config, activity, ownership, shrinker, clock, log };
  // Asked for only once both exist: each shows something of the other.
  const rocks = createRocks({ ...shared, treasury: () => treasury.snapshot() });
  const treasury = treasuryFrom(config, platform, { ...clients, collections: withOwnFloor(collections, rocks) });
  const ledgerDeps = { ...shared, audit: audit.trail, collections, treasury, rocks: rocks.catalog, productName };
  const settings = { ...treasurySettings(config), productName, publicUrl: config.PUBLIC_URL };
  const ledger = createLedger({ ...ledgerDeps, settings });
  const botDeps = { ...shared, audit: audit.trail, rocks: rocks.own };
  const telegram = createTelegram({ ...botDeps, prices: createSuiPrice(clients.prices, clock) });
  const discord = await createDiscord({ ...botDeps, productName, yieldToRequests: visitors.yieldToRequests });
  const payouts = payoutsFrom(config, { ...ledgerDeps, ledger, rocks, telegram, discord });
  // Before the collections start, so that the bots miss nothing that is read.
  for (const { listener } of [telegram, discord]) if (listener !== null) activity.addListener(listener);
  const parts = { auth, audit, treasury, ledger, payouts, collections, rocks, telegram, discord };
  addUpkeep(config, platform, metrics, parts);
  // Stopped from the last to the first: what runs jobs ends when nothing sends them any more.
  const stopped = { jobs: platform.jobs, telegram, discord, payouts, rocks, ledger, treasury };
  for (const [name, part] of Object.entries(stopped)) stops.add(name, () => part.stop());
  // First, because the ledger checks its sums against the balances of the treasury.
  await treasury.start();
  await Promise.all([rocks.start(), ledger.start(), payouts.start()]);
  await platform.jobs.createQueues();
  addFreshnessGauges(metrics, rocks, treasury, ledger);

  const readings = sourcesOf(parts);
  const sources = await createSourceWatch({ readings, refreshMs: config.TREASURY_REFRESH_MS, clock, log });
  stops.add('sources', () => sources.stop());
  const pages = { files, pagesFolder: join(distFolder, 'pages'), statements: ledger.statements, payouts };
  const shares = createSharePictures({ find: rocks.catalog.find, shrinker });
  const site = await loadSitePages({ ...pages, config, clock, treasury, rocks: rocks.catalog, sources });
  const server = await createServer({
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    routes: [auth, audit, treasury, ledger, payouts, rocks, shares, sources, telegram, discord].flatMap(
      ({ routes }) => routes,
    ),
    findPage: site.findPage,
    notFoundPage: site.notFoundPage,
    authorize: auth.authorize,
    readiness: createDatabaseCheck(platform.pool),
    metrics,
    metricsToken: config.METRICS_TOKEN,
    logger: log,
    onRequest: visitors.onRequest,
  });
  stops.add('server', () => server.stop());
  await server.listen({ host: config.HOST, port: config.PORT });
  console.log(`Sui Rocks is ready at ${config.PUBLIC_URL} (it listens on ${config.HOST}, port ${config.PORT}).`);
  // After the server listens: visitors do not wait for the first run of every job.
  await platform.jobs.start();
  telegram.start();
  discord.start();
}

function addFreshnessGauges(metrics: Metrics, { catalog }: Rocks, treasury: Treasury, ledger: Ledger): void {
  metrics.addGauge('rock_history_percent', 'How much of the rock history is read', () => catalog.reach().percent);
  metrics.addGauge('treasury_ledger_percent', 'How much of the ledger is read', () => ledger.reach().percent);
  metrics.addGauge('treasury_snapshot_age_seconds', 'Age of the published treasury', () =>
    treasury.snapshotAgeSeconds(),
  );
}

interface Parts {
  readonly auth: Auth;
  readonly audit: Audit;
  readonly treasury: Treasury;
  readonly ledger: Ledger;
  readonly payouts: Payouts;
  readonly collections: Collections;
  readonly rocks: Rocks;
  readonly telegram: Telegram;
  readonly discord: Discord;
}

function sourcesOf({ treasury, rocks }: Parts) {
  return async () => [...treasury.sourceReadings(), await rocks.sourceReading()];
}

/** Adds the figures for operators, and the jobs that delete expired rows and notify the owner of failures. */
function addUpkeep(config: Config, { jobs, database, pool }: Platform, metrics: Metrics, parts: Parts): void {
  const { ledger, payouts, telegram, discord } = parts;
  const purges = purgesOf(database, [eventPurge(database, telegram), ...telegram.purges, discord.purge]);
  jobs.add(purgeJob({ database, purges, onPurged: metrics.onPurged, log }));
  addOwnerAlarm({
    database,
    jobs,
    settings: { productName, publicUrl: config.PUBLIC_URL, refreshMs: config.TREASURY_REFRESH_MS },
    sendToOwner: ownerSender(config.ALARM_CHAT, { telegram: telegram.sendText, discord: discord.sendText }),
    readFigures: addDatabaseGauges(metrics, pool, figuresOf(config)),
    sources: sourcesOf(parts),
    unexplained: () => ledger.unexplained(),
    payoutProblems: () => payouts.problems(),
    lastErrors: async () => ({ telegram: await telegram.lastError(), discord: await discord.lastError() }),
    now: clock.now,
    log,
  });
}

async function startAuth(config: Config, platform: Platform, audit: Audit): Promise<Auth> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = config;
  const admin = username === null || password === null ? null : { username, password };
  const settings = { sessionSecret: platform.sessionSecret, admin, publicUrl: config.PUBLIC_URL, productName };
  const auth = createAuth({ db: platform.database, clock, audit: audit.trail, settings });
  await auth.start();
  return auth;
}

type Platform = Awaited<ReturnType<typeof startPlatform>>;

async function startPlatform(config: Config) {
  const { database, pool, url, stop } = await createDatabase({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log,
    onLost: (cause) => watch.end({ exitCode: 1, reason: 'the loss of its database', cause }),
  });
  stops.add('database', stop);
  await migrate(pool, log);
  const sessionSecret = config.SESSION_SECRET ?? (await storedSessionSecret(config.DATA_DIR));
  // No two running copies have the same name, even on one machine or with the same process id in two containers.
  const copy = `${hostname()} ${process.pid} ${randomUUID()}`;
  const changes = await createChangeSignal({ url, pool, log });
  stops.add('change signal', () => changes.stop());
  await watchForUpgrade(changes, pool, (cause) => watch.end({ exitCode: 1, reason: 'an upgraded database', cause }));
  const jobs = createJobs({ url, log });
  return { database, pool, url, changes, jobs, sessionSecret, copy };
}

type Rocks = ReturnType<typeof createRocks>;

/** The facts of the marketplace, with the floor that all pages show of our own collection. */
function withOwnFloor(collections: Collections, { catalog }: Rocks): TreasuryDeps['readers']['collections'] {
  const { readMarketFacts } = collections;
  return { ...collections, readMarketFacts: async (...asked) => catalog.withOwnFloor(await readMarketFacts(...asked)) };
}

function treasuryFrom(config: Config, platform: Platform, readers: TreasuryDeps['readers']): Treasury {
  return createTreasury({ ...platform, clock, log, settings: treasurySettings(config), readers });
}

function treasurySettings(config: Config) {
  return {
    network: config.SUI_NETWORK,
    treasuryAddress: config.TREASURY_ADDRESS,
    collectionType: config.COLLECTION_TYPE,
    explorerUrl: config.EXPLORER_URL,
    refreshMs: config.TREASURY_REFRESH_MS,
  };
}
