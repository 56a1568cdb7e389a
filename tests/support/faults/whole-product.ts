import type { Sandbox } from '../../../sandbox/start-sandbox.ts';
import { createAuth } from '../../../src/accounts/auth.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { createGeckoPrices } from '../../../src/sources/prices/gecko-prices.ts';
import { createLlamaPrices } from '../../../src/sources/prices/llama-prices.ts';
import { createPricesWithFallback } from '../../../src/sources/create-clients.ts';
import { createSuiPrice } from '../../../src/telegram/sui-price.ts';
import { createTreasury } from '../../../src/treasury/treasury.ts';
import { type CopyGround, startCopyGround } from '../copy-ground.ts';
import { discordOn } from '../discord-copy.ts';
import { telegramOn } from '../telegram-copy.ts';

/** The whole product in this process, wired as in src/main.ts, but without the pages, which need a build. */
export interface WholeProduct {
  readonly app: TestServer;
  stop(): Promise<void>;
}

interface WholeProductDeps {
  readonly databaseUrl: string;
  readonly sandbox: Pick<Sandbox, 'urls' | 'facts'>;
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** The clock of the chats: it does not jump ahead, so that their readings do not look older than they are. */
  readonly chatClock: Clock;
  /** The clock of the bot's rate limits, Telegram’s and its own. */
  readonly limitsNowMs: () => number;
}

export const chief = { username: 'chief', password: 'cave-painting' };
/** Short timeouts and retries, with the proportions of production. */
export const attemptTimeoutMs = 900;
const databaseLimits = { connectMs: 900, statementMs: 1_500, answerTimeoutMs: 1_800 };
const botPace = { firstRetryMs: 150, longestRetryMs: 600, settleMs: 8_000 };
const connectionPace = { readyWithinMs: 1_500, quietDropMs: 500, longestDropMs: 1_500 };
/** Figures are stale at twice that, which is longer than a refresh on a busy machine takes when one of its calls times out. */
const refreshMs = 1_500;

export async function startWholeProduct(deps: WholeProductDeps): Promise<WholeProduct> {
  const { clock, chatClock, sandbox } = deps;
  const common = { ...sandbox, clock };
  const ground = await startCopyGround({ ...deps, ...common, databaseLimits, name: 'the product' }, attemptTimeoutMs);
  const prices = pricesOf(sandbox);
  const { collections, audit, database: db } = ground;
  const auth = createAuth({
    db,
    audit: audit.trail,
    clock,
    settings: {
      publicUrl: 'http://localhost:3000',
      productName: 'Sui Rocks',
      sessionSecret: 'a secret of at least 32 characters',
      admin: chief,
    },
  });
  await auth.start();
  const treasury = treasuryOn(ground, prices, deps);
  const telegram = telegramOn(ground, {
    ...common,
    clock: chatClock,
    pace: botPace,
    senderLimits: { answerWithinMs: attemptTimeoutMs, nowMs: deps.limitsNowMs },
    nowMs: deps.limitsNowMs,
    prices: createSuiPrice(prices, clock),
  });
  const discord = await discordOn(ground, { ...common, pace: { ...botPace, ...connectionPace } });
  for (const { listener } of [telegram, discord]) if (listener !== null) collections.activity.addListener(listener);
  await treasury.start();
  await ground.jobs.start();
  telegram.start();
  discord.start();
  const app = await startTestServer({
    publicUrl: 'http://localhost:3000',
    routes: [auth, audit, treasury, telegram, discord].flatMap(({ routes }) => routes),
    authorize: auth.authorize,
  });
  return {
    app,
    stop: async () => {
      await app.server.stop();
      await ground.jobs.stop();
      await Promise.all([telegram, discord, treasury].map((part) => part.stop()));
      await ground.end();
    },
  };
}

type Prices = ReturnType<typeof pricesOf>;

function pricesOf({ urls }: WholeProductDeps['sandbox']) {
  const limits = { attemptTimeoutMs, totalTimeoutMs: attemptTimeoutMs + 500, retries: 0 };
  return createPricesWithFallback(
    createLlamaPrices({ baseUrl: urls.prices, limits }),
    createGeckoPrices({ baseUrl: urls.pricesFallback, limits }),
  );
}

function treasuryOn(ground: CopyGround, prices: Prices, { sandbox, clock }: WholeProductDeps) {
  const { sui, collections } = ground;
  const { network, treasuryAddress, collectionType } = sandbox.facts;
  return createTreasury({
    ...ground,
    clock,
    settings: { network, treasuryAddress, collectionType, explorerUrl: 'https://suiscan.xyz/mainnet', refreshMs },
    readers: { sui, collections, prices },
    deadlineMs: 6_000,
  });
}
