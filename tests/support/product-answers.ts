import { z } from 'zod';

import { type Child, startChild } from './child.ts';
import type { TestDatabase } from './database.ts';
import { chatId, guildId, memberId, treasuryAddress, wallet } from './kept-row-values.ts';
import { freePort } from './free-port.ts';
import { rocks } from './treasury-reading.ts';

/** The public address, the same for every start. */
const publicUrl = 'http://rocks.example.com';
const admin = { username: 'Chief', password: 'cave-painting' };
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** Ids of the rows in kept-rows.ts. */
const parameters: Readonly<Record<string, string>> = {
  guildId,
  chatId,
  userId: memberId,
  configId: '31',
  token: 'none',
  number: '7',
  address: wallet,
};
/** No outside service answers: port 9 (discard) is closed. */
const nowhere = 'http://127.0.0.1:9';

/** Status and body of every GET of the API by path, as an admin sees them on that database. */
export type ProductAnswers = Readonly<Record<string, readonly [status: number, body: unknown]>>;

/** Starts the product on that database without outside services, calls every GET that it describes, and stops it. */
export async function askProduct({ url: databaseUrl }: TestDatabase): Promise<ProductAnswers> {
  const port = await freePort();
  const product = startChild('src/main.ts', [], {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: 's'.repeat(32),
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    TREASURY_ADDRESS: treasuryAddress,
    COLLECTION_TYPE: rocks,
    SUI_GRPC_URL: nowhere,
    SUI_ARCHIVE_URL: nowhere,
    MARKET_API_URL: nowhere,
    PRICES_API_URL: nowhere,
    PRICES_FALLBACK_URL: nowhere,
    LOG_LEVEL: 'silent',
  });
  try {
    return await askEverything(product, `http://localhost:${port}`);
  } finally {
    await product.end();
  }
}

async function askEverything(product: Child, origin: string): Promise<ProductAnswers> {
  await product.firstLine();
  const cookie = await signIn(origin);
  const { paths } = description.parse(await (await fetch(`${origin}/api/openapi.json`)).json());
  const asked = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
  return Object.fromEntries(
    await Promise.all(asked.map(async (path) => [path, await ask(origin, path, cookie)] as const)),
  );
}

async function ask(origin: string, path: string, cookie: string): Promise<readonly [status: number, body: unknown]> {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '1');
  const answer = await fetch(origin + place, { headers: { cookie } });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return [answer.status, isJson ? JSON.parse(text, withoutOwnTraces) : text];
}

/** Leaves out the audit entries of these calls themselves, values that a restore resets on purpose, and how far a history has been read. */
function withoutOwnTraces(key: string, value: unknown): unknown {
  // Backups contain no sessions; earlier versions have no field for members' payout messages.
  if (['nextSweepAt', 'until', 'sessions', 'wantsPayoutMessages'].includes(key)) return undefined;
  // The calling account: created and signed in just now.
  if (typeof value === 'object' && value !== null && 'isYou' in value && value.isYou === true) return undefined;
  if (key !== 'entries' || !Array.isArray(value)) return value;
  return (value as { actor?: { name: string } }[]).filter(
    ({ actor }) => actor === undefined || actor.name === 'role check',
  );
}

async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: publicUrl },
    body: JSON.stringify(admin),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (!answer.ok || cookies.length === 0) throw new Error(`The login answered ${answer.status}.`);
  return cookies.join('; ');
}
