import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Unavailable } from '../shared/failure.ts';
import type { HotBody } from './hot-bodies.ts';
import { makeHotBody } from './make-hot-body.ts';
import { fillPage, inlineHashes, jsonBlock } from './page-template.ts';
import { pagePolicy } from './security-headers.ts';

/** The public pages (specification 2): path to the prerendered file's name. */
export const publicPages: Readonly<Record<string, string>> = {
  '/': 'home',
  '/nft': 'nft',
  '/rockfolio': 'rockfolio',
  '/telegram': 'telegram',
  '/privacy': 'privacy',
  '/terms': 'terms',
};

const notFoundName = 'not-found';

export interface PagesDeps {
  /** `dist/pages`. */
  readonly folder: string;
  readonly publicUrl: string;
  /** Replaces `@@key@@` and fills the JSON block `#site-config`. */
  readonly siteConfig: Readonly<Record<string, string>>;
  /** By marker (`snapshot:treasury`): the last snapshot as escaped HTML, or an empty text when there is none. */
  readonly snapshots: Readonly<Record<string, () => string>>;
}

export interface Pages {
  readonly find: (path: string) => HotBody | undefined;
  readonly notFound: () => HotBody;
  /** To be called when the snapshot behind a marker has changed: makes the pages that show it again. */
  readonly refresh: (marker: string) => void;
}

/** Loads the prerendered pages once. Throws Unavailable (one sentence) when there is no build. */
export async function loadPages(deps: PagesDeps): Promise<Pages> {
  const names = [...Object.values(publicPages), notFoundName];
  const templates = new Map<string, string>();
  await Promise.all(names.map(async (name) => templates.set(name, await readPage(deps.folder, name))));
  const bodies = new Map<string, HotBody>();
  const shown = new Map<string, string>();
  const make = (name: string): void => {
    const template = templates.get(name) ?? '';
    const html = renderPage(template, deps);
    // A snapshot changes more often than what a page says of it.
    if (shown.get(name) === html) return;
    shown.set(name, html);
    bodies.set(name, makePage(html, deps));
  };
  for (const name of names) make(name);
  return {
    find: (path) => (Object.hasOwn(publicPages, path) ? bodies.get(publicPages[path] ?? '') : undefined),
    notFound: () => bodies.get(notFoundName) as HotBody,
    refresh: (marker) => {
      for (const [name, template] of templates) if (template.includes(`<!--${marker}-->`)) make(name);
    },
  };
}

async function readPage(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, `${name}.html`), 'utf8');
  } catch (error) {
    throw new Unavailable('no-build', 'The site is not built yet: run npm run build, then start again.', error);
  }
}

function renderPage(template: string, { siteConfig, snapshots }: PagesDeps): string {
  const markers = Object.keys(snapshots).filter((marker) => template.includes(`<!--${marker}-->`));
  const blocks = Object.fromEntries(markers.map((marker) => [marker, snapshots[marker]?.() ?? '']));
  const block = jsonBlock('site-config', siteConfig);
  return fillPage(template, { values: siteConfig, blocks: { ...blocks, 'site-config': block } });
}

function makePage(html: string, { publicUrl }: PagesDeps): HotBody {
  return makeHotBody(html, {
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    extraHeaders: { 'Content-Security-Policy': pagePolicy(inlineHashes(html), publicUrl) },
  });
}
