import { createChangeSignal } from '../../src/db/change-signal.ts';
import { createPool, typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createLogger } from '../../src/process/logger.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { createMessaging } from '../../src/telegram/messaging.ts';
import { unreadRocks } from './activity-events.ts';
import { sendUnderLock } from './send-under-lock.ts';

/**
 * The sending part of one copy of the product, in its own process that tests and benches can kill. Writes `ready` once it
 * sends; stops in order on SIGTERM. `TELEGRAM_COPY`: JSON of `{databaseUrl, token, apiUrl, answerWithinMs}`.
 */
interface CopySettings {
  readonly databaseUrl: string;
  readonly token: string;
  readonly apiUrl: string;
  readonly answerWithinMs: number;
}

const { databaseUrl, token, apiUrl, ...limits } = JSON.parse(process.env['TELEGRAM_COPY'] ?? '{}') as CopySettings;
const log = createLogger('warn');
const pool = createPool(databaseUrl, silentLog);
const changes = await createChangeSignal({ url: databaseUrl, pool, log: silentLog });
const unused = (): never => {
  throw new Error('not part of sending');
};
const deliveries = createMessaging({
  db: typedKysely(pool),
  changes,
  activity: { tracked: unused, unwatch: unused, summary: unused, events: unused },
  prices: async () => null,
  rocks: unreadRocks,
  audit: { record: unused, redact: unused },
  shrinker: { shrink: unused },
  clock: systemClock,
  isOn: unused,
  log,
  config: {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_URL: apiUrl,
    EXPLORER_URL: 'https://suivision.xyz',
    MARKET_API_URL: 'https://market.example',
  },
  limits,
});
const sending = sendUnderLock(deliveries, databaseUrl);
sending.start();
process.stdout.write('ready\n');
process.once('SIGTERM', () => {
  void sending
    .stop()
    .then(() => changes.stop())
    .then(() => pool.end())
    .then(() => process.exit(0));
});
