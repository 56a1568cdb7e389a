import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../../shared/foreign-text.ts';
import { type InlineHashes, pagePolicy } from '../security-headers.ts';
import { Unavailable } from '../../shared/failure.ts';
import { type ReadyAnswer, makeReadyAnswer } from './ready-answer.ts';

/** What a prerendered page is filled with. */
interface PageFilling {
  /** Replaces `@@name@@`; escaped here. */
  readonly values: Readonly<Record<string, string>>;
  /** Replaces the comment `<!--name-->`; already safe HTML, an empty text removes the comment. */
  readonly blocks: Readonly<Record<string, string>>;
}

/** A value as a JSON block for the browser. `<` is written \u003c, so that no text can end the block. */
export function jsonBlock(id: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** Fills a page in one pass, so that nothing filled in is ever read as a placeholder itself. */
export function fillPage(template: string, { values, blocks }: PageFilling): string {
  return template.replaceAll(/@@(\w+)@@|<!--([\w:-]+)-->/g, (whole, value?: string, block?: string) => {
    if (value !== undefined) return Object.hasOwn(values, value) ? escapeHtml(values[value] ?? '') : whole;
    return block !== undefined && Object.hasOwn(blocks, block) ? (blocks[block] ?? '') : whole;
  });
}

/** Hashes of a page's inline scripts and styles (CSP level 3). JSON blocks are data and need none. */
function inlineHashes(html: string): InlineHashes {
  const scripts: string[] = [];
  const styles: string[] = [];
  for (const [, tag, attributes = '', content = ''] of html.matchAll(/<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g)) {
    if (tag === 'style') styles.push(hashOf(content));
    else if (!/\bsrc=/.test(attributes) && !/type="application\/(?:ld\+)?json"/.test(attributes)) {
      scripts.push(hashOf(content));
    }
  }
  return { scripts, styles };
}

const hashOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** The public pages (specification 2, and how to verify), listed for search engines: path to the prerendered file's name. */
export const publicPages: Readonly<Record<string, string>> = {
  '/': 'home',
  '/nft': 'nft',
  '/rocks': 'rocks',
  '/rockfolio': 'rockfolio',
  '/statements': 'statements',
  '/payouts': 'payouts',
  '/telegram': 'telegram',
  '/verify': 'how-to-verify',
  '/privacy': 'privacy',
  '/terms': 'terms',
};

/** The admin area's pages (specification 2): served like the others, but not listed for search engines. */
const adminPages: Readonly<Record<string, string>> = { '/auth': 'auth', '/admin': 'admin' };

const servedPages: Readonly<Record<string, string>> = { ...publicPages, ...adminPages };
const adminNames = new Set(Object.values(adminPages));

/**
 * What is not valid in the query of a page's address, as one sentence; null: nothing. The page is then answered with status 400 and the
 * sentence. Only a few sentences, since each makes a page that is kept.
 */
type QueryProblem = (query: string) => string | null;

/** A page with many addresses, such as one for each rock. */
export interface ParameterPage {
  /** The prerendered file's name. */
  readonly name: string;
  /** The key of the item that the address names, such as a rock's number; null: not an address of this page. */
  readonly find: (path: string) => string | null;
  readonly countedAs: string;
  /** The address ends with a secret: it is never cached and never sent to another site. */
  readonly isSecret?: boolean;
  /** Fills the page for an item; null: there is no such item, so the answer is the not-found page. Left out: one page for all. */
  readonly fillingOf?: (key: string) => PageFilling | null;
  /** As in `PagesDeps.queryProblems`. */
  readonly queryProblem?: QueryProblem;
}

const verifyPage: ParameterPage = {
  name: 'verify',
  find: (path) => (/^\/verify\/[^/]+$/.test(path) ? '' : null),
  countedAs: '/verify/{token}',
  isSecret: true,
};

const notFoundName = 'not-found';

export interface PagesDeps {
  /** `dist/pages`. */
  readonly folder: string;
  readonly publicUrl: string;
  /** Replaces `@@key@@` and fills the JSON block `#site-config`, both together with `currentYear`. */
  readonly siteConfig: Readonly<Record<string, string>>;
  /** The time, for the year on the pages. */
  readonly now: () => Date;
  /** By marker (`snapshot:treasury`): the last snapshot as escaped HTML, or an empty text when there is none. */
  readonly snapshots: Readonly<Record<string, () => string>>;
  readonly parameterPages?: readonly ParameterPage[];
  /** By page name. */
  readonly queryProblems?: Readonly<Record<string, QueryProblem>>;
}

export type Pages = Awaited<ReturnType<typeof loadPages>>;

/** Loads the prerendered pages once. Throws Unavailable (one sentence) when there is no build. */
export async function loadPages(deps: PagesDeps) {
  const parameterPages = [verifyPage, ...(deps.parameterPages ?? [])];
  const names = [...Object.values(servedPages), ...parameterPages.map(({ name }) => name), notFoundName];
  const templates = new Map<string, Template>();
  await Promise.all(names.map(async (name) => templates.set(name, await readTemplate(deps, name, parameterPages))));
  let year = yearOf(deps.now());
  // Checked with each page instead of by a timer, so that no page ever shows last year.
  const keepYear = (): void => {
    const yearNow = yearOf(deps.now());
    if (yearNow === year) return;
    year = yearNow;
    for (const { made } of templates.values()) made.clear();
  };
  const pageOf = (name: string, { key = '', query = '' } = {}): ReadyAnswer | undefined => {
    keepYear();
    const template = templates.get(name);
    const problem = query === '' ? null : (template?.queryProblem?.(query) ?? null);
    const madeAs = problem === null ? key : `${key} ${problem}`;
    const known = template?.made.get(madeAs);
    if (template === undefined || known !== undefined) return known;
    const filling = template.parameterPage?.fillingOf?.(key);
    if (filling === null) return undefined;
    const page = makePage(renderPage(template.html, deps, year, { filling, problem }), template, problem);
    template.made.set(madeAs, page);
    return page;
  };
  return {
    find: (path: string, query?: string): ReadyAnswer | undefined => {
      if (Object.hasOwn(servedPages, path)) return pageOf(servedPages[path] ?? '', { query });
      for (const { name, find } of parameterPages) {
        const key = find(path);
        if (key !== null) return pageOf(name, { key, query });
      }
      return undefined;
    },
    notFound: (): ReadyAnswer => pageOf(notFoundName) as ReadyAnswer,
    /** Call when the snapshot behind a marker has changed: the pages that show it are filled anew. */
    refresh: (marker: string): void => {
      for (const { html, made } of templates.values()) if (html.includes(`<!--${marker}-->`)) made.clear();
    },
    /** Call when the items of the page with this name have changed. */
    refill: (name: string): void => templates.get(name)?.made.clear(),
  };
}

interface Template {
  readonly name: string;
  readonly html: string;
  /** Made before anything is filled in, so that a script in filled-in content is never allowed. */
  readonly policy: string;
  readonly parameterPage: ParameterPage | undefined;
  readonly queryProblem: QueryProblem | undefined;
  /** By the item's key, made on demand. Only existing items have a page: as many as there are rocks, payouts or months, times the query's problems. */
  readonly made: Map<string, ReadyAnswer>;
}

async function readTemplate(
  { folder, publicUrl, queryProblems }: PagesDeps,
  name: string,
  parameterPages: readonly ParameterPage[],
): Promise<Template> {
  const html = await readPage(folder, name);
  const parameterPage = parameterPages.find((page) => page.name === name);
  const policy = pagePolicy(inlineHashes(html), publicUrl);
  const queryProblem = parameterPage?.queryProblem ?? queryProblems?.[name];
  return { name, html, policy, parameterPage, queryProblem, made: new Map() };
}

const yearOf = (time: Date): number => time.getUTCFullYear();

async function readPage(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, `${name}.html`), 'utf8');
  } catch (error) {
    throw new Unavailable('no-build', 'The site is not built yet: run npm run build, then start again.', error);
  }
}

function renderPage(
  template: string,
  { siteConfig, snapshots }: PagesDeps,
  year: number,
  { filling = { values: {}, blocks: {} }, problem }: { filling: PageFilling | undefined; problem: string | null },
): string {
  const config = { ...siteConfig, currentYear: String(year) };
  const markers = Object.keys(snapshots).filter((marker) => template.includes(`<!--${marker}-->`));
  const blocks = Object.fromEntries(markers.map((marker) => [marker, snapshots[marker]?.() ?? '']));
  return fillPage(template, {
    values: { ...filling.values, ...config },
    blocks: {
      ...filling.blocks,
      ...blocks,
      'snapshot:query-problem': problem === null ? '' : `<p>${escapeHtml(problem)}</p>`,
      'site-config': jsonBlock('site-config', config),
    },
  });
}

/** Keep the secret in the address from linked sites and search engines. */
const secretHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

function makePage(html: string, { name, policy, parameterPage }: Template, problem: string | null): ReadyAnswer {
  const isSecret = parameterPage?.isSecret === true;
  return makeReadyAnswer(html, {
    contentType: 'text/html; charset=utf-8',
    // Browsers do not store the admin area, so that 'Back' shows nothing of it after a logout; nor pages of secret links.
    cacheControl: adminNames.has(name) || isSecret ? 'no-store' : 'no-cache',
    extraHeaders: { 'Content-Security-Policy': policy, ...(isSecret ? secretHeaders : {}) },
    ...(parameterPage === undefined ? {} : { countedAs: parameterPage.countedAs }),
    ...(problem === null ? {} : { status: 400 }),
  });
}
