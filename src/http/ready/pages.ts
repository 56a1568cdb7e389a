import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../../shared/escape-html.ts';
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

/** Hashes of what stands inline in a page (CSP level 3). JSON blocks are data and need none. */
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
  '/rockfolio': 'rockfolio',
  '/telegram': 'telegram',
  '/verify': 'how-to-verify',
  '/privacy': 'privacy',
  '/terms': 'terms',
};

/** The admin area's pages (specification 2): served like the others, named to no search engine. */
const adminPages: Readonly<Record<string, string>> = { '/auth': 'auth', '/admin': 'admin' };

const servedPages: Readonly<Record<string, string>> = { ...publicPages, ...adminPages };
const adminNames = new Set(Object.values(adminPages));

/** A page whose address ends with a secret: every address below its path is this one page. */
const secretPage = { name: 'verify', address: /^\/verify\/[^/]+$/, countedAs: '/verify/{token}' } as const;

const notFoundName = 'not-found';

export interface PagesDeps {
  /** `dist/pages`. */
  readonly folder: string;
  readonly publicUrl: string;
  /** Replaces `@@key@@` and fills the JSON block `#site-config`, both together with `currentYear`. */
  readonly siteConfig: Readonly<Record<string, string>>;
  /** The time, by which the pages know their year. */
  readonly now: () => Date;
  /** By marker (`snapshot:treasury`): the last snapshot as escaped HTML, or an empty text when there is none. */
  readonly snapshots: Readonly<Record<string, () => string>>;
}

export interface Pages {
  readonly find: (path: string) => ReadyAnswer | undefined;
  readonly notFound: () => ReadyAnswer;
  /** To be called when the snapshot behind a marker has changed: makes the pages that show it again. */
  readonly refresh: (marker: string) => void;
}

/** Loads the prerendered pages once. Throws Unavailable (one sentence) when there is no build. */
export async function loadPages(deps: PagesDeps): Promise<Pages> {
  const names = [...Object.values(servedPages), secretPage.name, notFoundName];
  const templates = new Map<string, string>();
  await Promise.all(names.map(async (name) => templates.set(name, await readPage(deps.folder, name))));
  // Of what we wrote, before anything is filled in: what enters a page through its figures is no script of ours.
  const policies = new Map(
    [...templates].map(([name, template]) => [name, pagePolicy(inlineHashes(template), deps.publicUrl)]),
  );
  const bodies = new Map<string, ReadyAnswer>();
  const shown = new Map<string, string>();
  let year = yearOf(deps.now());
  const make = (name: string): void => {
    const template = templates.get(name) ?? '';
    const html = renderPage(template, deps, year);
    // A snapshot changes more often than what a page says of it.
    if (shown.get(name) === html) return;
    shown.set(name, html);
    bodies.set(name, makePage(html, name, policies.get(name) ?? ''));
  };
  for (const name of names) make(name);
  // Asked with each page instead of by a timer: no page is ever of last year.
  const inThisYear = (name: string): ReadyAnswer | undefined => {
    const yearNow = yearOf(deps.now());
    if (yearNow !== year) {
      year = yearNow;
      for (const stale of names) make(stale);
    }
    return bodies.get(name);
  };
  return {
    find: (path) => {
      if (Object.hasOwn(servedPages, path)) return inThisYear(servedPages[path] ?? '');
      return secretPage.address.test(path) ? inThisYear(secretPage.name) : undefined;
    },
    notFound: () => inThisYear(notFoundName) as ReadyAnswer,
    refresh: (marker) => {
      for (const [name, template] of templates) if (template.includes(`<!--${marker}-->`)) make(name);
    },
  };
}

const yearOf = (time: Date): number => time.getUTCFullYear();

async function readPage(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, `${name}.html`), 'utf8');
  } catch (error) {
    throw new Unavailable('no-build', 'The site is not built yet: run npm run build, then start again.', error);
  }
}

function renderPage(template: string, { siteConfig, snapshots }: PagesDeps, year: number): string {
  const values = { ...siteConfig, currentYear: String(year) };
  const markers = Object.keys(snapshots).filter((marker) => template.includes(`<!--${marker}-->`));
  const blocks = Object.fromEntries(markers.map((marker) => [marker, snapshots[marker]?.() ?? '']));
  const block = jsonBlock('site-config', values);
  return fillPage(template, { values, blocks: { ...blocks, 'site-config': block } });
}

/** A browser keeps nothing of the admin area, so that after a logout 'Back' cannot show what stood there; nor of a secret link. */
const cacheControlOf = (name: string): string =>
  adminNames.has(name) || name === secretPage.name ? 'no-store' : 'no-cache';

/** The secret in the address reaches neither a linked site nor a search engine. */
const secretHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

function makePage(html: string, name: string, policy: string): ReadyAnswer {
  const isSecret = name === secretPage.name;
  return makeReadyAnswer(html, {
    contentType: 'text/html; charset=utf-8',
    cacheControl: cacheControlOf(name),
    extraHeaders: {
      'Content-Security-Policy': policy,
      ...(isSecret ? secretHeaders : {}),
    },
    ...(isSecret ? { countedAs: secretPage.countedAs } : {}),
  });
}
