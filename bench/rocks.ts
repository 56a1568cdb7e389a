import { typedKysely } from '../src/db/connect.ts';
import { createOwnerNames } from '../src/market/rocks/owner-names.ts';
import { createRockCatalog } from '../src/market/rocks/rock-catalog.ts';
import { createRockStore } from '../src/market/rocks/rock-store.ts';
import { rockColors } from '../src/shared/rock-colors.ts';
import { systemClock } from '../src/process/in-time.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atMost, quantile, type Row } from './row.ts';

const of = { network: 'mainnet', collectionType: '0x1::rock::Rock' };
const events = 100_000;
const asked = 1_000;

/** Every third rock is for sale; there are 500 holders; one event in five is a sale. */
const fill = `
  with piece as (
    insert into rocks (network, collection_type, object_id, number, name, color, owner, place, list_price_mist, read_at)
    select $1, $2, '0x' || lpad(to_hex(n), 64, '0'), n, 'Rock #' || n, ($4::text[])[1 + n % 6],
      '0x' || lpad(to_hex(n % 500), 64, 'a'), 'wallet', case when n % 3 = 0 then 1000000000::numeric * n end, now()
    from generate_series(1, $3::int) n),
  event as (
    insert into rock_events (network, collection_type, event_key, object_id, kind, happened_at, price_mist, sender, receiver, transaction_digest)
    select $1, $2, 'event ' || n, '0x' || lpad(to_hex(1 + n % $3::int), 64, '0'),
      case n % 5 when 0 then 'sale' when 1 then 'transfer' else 'listing' end, now() - n * interval '6 minutes', n,
      '0x' || lpad(to_hex(n % 499), 64, 'a'), '0x' || lpad(to_hex(n % 500), 64, 'a'), 'digest ' || n
    from generate_series(1, ${events}) n)
  insert into rock_readings (network, collection_type, rocks_as_of, is_history_complete) values ($1, $2, now(), true)`;

/** Issue figure: the gallery, a rock and its history, with 555 and with 10,000 pieces and 100,000 events. */
export const benchRocks = async (): Promise<Row[]> => [
  ...(await benchPieces(555, 15)),
  ...(await benchPieces(10_000, 40)),
];

async function benchPieces(pieces: number, pageMsMax: number): Promise<Row[]> {
  const database = await startBenchDatabase();
  try {
    const colors = rockColors.map(({ name }) => name);
    await database.pool.query(fill, [of.network, of.collectionType, pieces, colors]);
    await database.pool.query('analyze');
    const db = typedKysely(database.pool);
    const catalog = createRockCatalog(
      createRockStore(db, of),
      createOwnerNames(db, of.network),
      of.collectionType,
      systemClock,
    );
    const beganMs = performance.now();
    await catalog.load();
    const loadMs = performance.now() - beganMs;
    const sorts = ['number', 'price', 'recent'] as const;
    const pageMs = await timesOf(async (at) => {
      const color = at % 2 === 0 ? (colors[at % 6] ?? null) : null;
      const listed = at % 3 === 0 ? true : null;
      JSON.stringify(catalog.page({ color, listed, owner: null, sort: sorts[at % 3] ?? 'number' }, 1 + (at % 3)));
    });
    const rockMs = await timesOf(async (at) => JSON.stringify(await catalog.rock(1 + ((at * 17) % pieces))));
    return [
      atMost(`${pieces} rocks: a filtered page, p99`, quantile(pageMs, 0.99), pageMsMax, ' ms'),
      atMost(`${pieces} rocks, ${events} events: a rock and its history, p99`, quantile(rockMs, 0.99), 20, ' ms'),
      atMost('the same: read from the database after a change', loadMs, 1_000, ' ms'),
    ];
  } finally {
    await database.drop();
  }
}

async function timesOf(run: (at: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < asked; at += 1) {
    const beganMs = performance.now();
    await run(at);
    times.push(performance.now() - beganMs);
  }
  return times;
}
