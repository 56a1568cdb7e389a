import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts';
import { createMarketCall } from '../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../src/sources/sui/sui-client.ts';
import { createOwnership, type Ownership } from '../src/market/owners/ownership.ts';
import { createDatabase } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { migrate } from '../src/db/migrate.ts';
import { systemClock } from '../src/process/in-time.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';
import { atMost, type Row } from './row.ts';

const pieces = 555;
const wallets = 300;
const kiosks = 250;
/** Wallets with a kiosk: some have two, one in six a personal one. The others hold their pieces directly. */
const kioskWallets = 240;
const strangers = 20_000;

/** Issue figure: the owner table of a 555-piece collection over 300 wallets and 250 kiosks, asked for 20,000 members. */
export const benchOwnerTable = async (): Promise<Row[]> => {
  const dataDir = await temporaryDataDir('disk');
  const database = await createDatabase({ url: null, dataDir: dataDir.path, log: silentLog });
  await migrate(database.pool, silentLog);
  // The treasury already has six pieces and two kiosks.
  const sandbox = await startSandbox({ seed: { mintedRocks: 6 } });
  try {
    const holders = distribute(sandbox);
    const open = (): Ownership => openOwnership(sandbox, database.database);
    const first = await measure(sandbox, open(), holders);
    const learned = await measure(sandbox, open(), holders);
    const shared = open();
    const all = Array.from({ length: strangers / holders.length + 1 }, () => holders).flat();
    const servers = await measure(sandbox, shared, all, 100);
    const what = `${pieces} pieces, ${wallets} wallets, ${kiosks} kiosks`;
    return [
      atMost(`${what}: requests at first`, first.requests, kiosks + 10, '', first.note),
      atMost('the same, once fields and caps are learned', learned.requests, 20, '', learned.note),
      atMost('the same for 100 servers at once', servers.requests, 20, '', servers.note),
      atMost('wallets without an answer, or with a wrong one', first.wrong + learned.wrong + servers.wrong, 0),
    ];
  } finally {
    await sandbox.stop();
    await database.stop();
    await dataDir.remove();
  }
};

/** Distributes the pieces, some of them for sale; returns all owners. */
const distribute = ({ world, facts }: Sandbox): readonly string[] => {
  const addresses = Array.from(
    { length: wallets - 1 },
    (_none, index) => `0x${(index + 1).toString(16).padStart(64, 'b')}`,
  );
  const secondKiosks = kiosks - 2 - (kioskWallets - 1);
  const spots: { address: string; kioskId?: string }[] = addresses.map((address, index) =>
    index < kioskWallets - 1
      ? {
          address,
          kioskId: world.createKiosk({ holder: address, capKind: index % 6 === 0 ? 'personal-kiosk' : 'kiosk' }).id,
        }
      : { address },
  );
  for (const address of addresses.slice(0, secondKiosks)) {
    spots.push({ address, kioskId: world.createKiosk({ holder: address }).id });
  }
  for (let piece = 0; piece < pieces - 6; piece += 1) {
    const spot = spots[piece % spots.length];
    if (spot === undefined) throw new Error('Nowhere to put a piece');
    const { id } = world.mint(spot);
    if (piece % 12 === 0) world.list({ nftId: id, priceMist: 14_000_000_000n });
  }
  return [facts.treasuryAddress, ...addresses];
};

const openOwnership = (sandbox: Sandbox, database: Parameters<typeof createOwnership>[0]['database']): Ownership => {
  const { facts, urls } = sandbox;
  const sui = createSuiClient({ network: facts.network, baseUrl: urls.sui });
  const market = createMarketCall({ url: urls.market, user: facts.marketUser, key: facts.marketKey });
  return createOwnership({
    config: { SUI_NETWORK: 'mainnet' },
    sui,
    backgroundSui: sui,
    marketplace: market,
    database,
    clock: systemClock,
  });
};

/** Splits the wallets among this many callers, who ask at once. */
const measure = async (sandbox: Sandbox, ownership: Ownership, asked: readonly string[], callers = 1) => {
  sandbox.requests.reset();
  const startedMs = performance.now();
  const share = Math.ceil(asked.length / callers);
  const answers = await Promise.all(
    Array.from({ length: callers }, (_none, caller) =>
      ownership.readWallets(sandbox.facts.collectionType, asked.slice(caller * share, (caller + 1) * share)),
    ),
  );
  const ms = Math.round(performance.now() - startedMs);
  const [sui, market] = ['sui', 'market'].map((service) => sandbox.requests.of(service).count);
  const wrong = answers.flatMap((each) => [...each.values()]).filter(({ kind }) => kind !== 'holds').length;
  return { requests: (sui ?? 0) + (market ?? 0), wrong, note: `node ${sui}, marketplace ${market}, ${ms} ms` };
};
