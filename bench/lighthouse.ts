import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { gzipSync } from 'node:zlib';
import { chromiumArgs, ensureChromium } from '../scripts/chromium.ts';
import { rockPageAnswer } from '../src/market/rocks-contract.ts';
import { type Product, startProduct, untilOwnersAreRead } from '../tests/support/product.ts';
import { payLines, treasurerOf, untilPaid } from '../tests/support/published-payout.ts';
import { atLeast, atMost, median, type Row } from './row.ts';

const paths = ['/', '/nft', '/rockfolio', '/telegram', '/privacy', '/terms', '/rocks', '/rocks/1', '/payouts'] as const;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const runsEach = 3;
const admin = { username: 'ogg', password: 'rock-solid-password' } as const;

interface Visit {
  readonly scores: Record<string, number>;
  readonly layoutShift: number;
  readonly scriptUrls: readonly string[];
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** Why a visit measured nothing: the page did not load, or an audit could not read its trace. null: it is usable. */
const whyWorthless = ({ runtimeError, categories: scored, audits }: Report): string | null => {
  if (runtimeError !== undefined) return `${runtimeError.code}: ${runtimeError.message}`;
  if (audits['cumulative-layout-shift']?.numericValue !== undefined) {
    const unscored = categories.filter((name) => typeof scored[name]?.score !== 'number');
    if (unscored.length === 0) return null;
  }
  const failed = Object.values(audits).filter(({ scoreDisplayMode }) => scoreDisplayMode === 'error');
  return failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('; ') || 'a figure is missing';
};

const visitOnce = async (url: string, port: number): Promise<Visit | { readonly worthless: string }> => {
  const result = await lighthouse(url, { port, onlyCategories: [...categories], logLevel: 'error' });
  if (result === undefined) throw new Error(`Lighthouse gave nothing for ${url}`);
  const { lhr } = result;
  const worthless = whyWorthless(lhr);
  if (worthless !== null) return { worthless };
  const requests = lhr.audits['network-requests']?.details;
  const items =
    requests !== undefined && 'items' in requests ? (requests.items as { url: string; resourceType: string }[]) : [];
  return {
    scores: Object.fromEntries(categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)])),
    layoutShift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    scriptUrls: items.filter(({ resourceType }) => resourceType === 'Script').map((item) => item.url),
  };
};

/** A visit that the browser spoiled (e.g. a lost trace) says nothing about the page: it is reported and repeated once. */
const visit = async (url: string, port: number): Promise<Visit> => {
  const first = await visitOnce(url, port);
  if (!('worthless' in first)) return first;
  console.error(`measuring ${url} again: ${first.worthless}`);
  const second = await visitOnce(url, port);
  if ('worthless' in second) throw new Error(`Lighthouse could not measure ${url} twice: ${second.worthless}`);
  return second;
};

const gzipKb = async (urls: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(
    urls.map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()), { level: 9 }).length),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
};

/** The page of rock 1's owner, once the owners are read. */
async function aHolder(url: string): Promise<string> {
  await untilOwnersAreRead(url);
  const { owner } = rockPageAnswer.parse((await (await fetch(`${url}/api/rocks/1`)).json()).data);
  return `/holders/${owner?.address}`;
}

/** Publishes and pays a payout with a line for each holder; returns its page. */
async function aPayout(product: Product): Promise<string> {
  const { payout, lines } = await (
    await treasurerOf(product, admin)
  ).publish({ title: 'October', shareRaw: '10000007' });
  await payLines(product, lines);
  await untilPaid(product, payout);
  return `/payouts/${payout}`;
}

/** Issue figure: Lighthouse mobile 99 / 100 / 100 / 100, at most 110 kB gzip of JavaScript on `/`, no layout shift. */
export const benchLighthouse = async (): Promise<Row[]> => {
  const product = await startProduct({
    env: { TREASURY_REFRESH_MS: '30000', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
  });
  const chrome = await launch({
    chromePath: ensureChromium(),
    chromeFlags: ['--headless=new', ...chromiumArgs],
  });
  const rows: Row[] = [];
  try {
    const holder = await aHolder(product.url);
    // The payout comes first, so that `/payouts` lists it.
    for (const path of [await aPayout(product), ...paths, holder]) {
      const visits: Visit[] = [];
      for (let run = 0; run < runsEach; run += 1) visits.push(await visit(product.url + path, chrome.port));
      for (const name of categories) {
        const score = median(visits.map(({ scores }) => scores[name] ?? 0));
        rows.push(atLeast(`${path}: Lighthouse mobile, ${name}`, score, name === 'performance' ? 99 : 100));
      }
      rows.push(atMost(`${path}: layout shift`, Math.max(...visits.map(({ layoutShift }) => layoutShift)), 0));
      if (path === '/') rows.push(atMost('/: JavaScript, gzip', await gzipKb(visits[0]?.scriptUrls ?? []), 110, ' kB'));
    }
  } finally {
    chrome.kill();
    await product.stop();
  }
  return rows;
};
