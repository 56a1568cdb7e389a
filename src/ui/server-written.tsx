import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { placeholderSiteConfig, type SiteConfig } from '../shared/site-config.ts';

const SiteConfigContext = createContext<SiteConfig>(placeholderSiteConfig);

export const SiteConfigProvider = SiteConfigContext.Provider;

/** This installation's links and addresses; placeholders while pages are prerendered. */
export const useSiteConfig = (): SiteConfig => useContext(SiteConfigContext);

/** What the server wrote into `#site-config`; the placeholders when a page is opened without the server. */
export function readSiteConfig(document: Document): SiteConfig {
  const written = document.querySelector('#site-config')?.textContent;
  return written === undefined || written === null ? placeholderSiteConfig : (JSON.parse(written) as SiteConfig);
}

type Snapshot =
  | 'treasury'
  | 'treasury-value'
  | 'collection'
  | 'rocks'
  | 'rock'
  | 'statements'
  | 'statement'
  | 'payouts'
  | 'payout'
  | 'query-problem';

/**
 * For readers without JavaScript: the server fills the comment with the last snapshot as text. React neither renders comments nor reads
 * what is inside `noscript` in the browser, hence the raw markup, written only when the page is built.
 */
export function ServerSnapshot({ of }: { readonly of: Snapshot }) {
  const isBuilding = typeof document === 'undefined';
  return <noscript {...(isBuilding && { dangerouslySetInnerHTML: { __html: `<!--snapshot:${of}-->` } })} />;
}

/** The title that the server writes into a loaded page, after navigation inside the site; null: its answer has not come. */
export function useFullTitle(title: string | null): void {
  useEffect(() => {
    // The site's name stays behind it.
    if (title !== null) document.title = document.title.replace(/^.*(?= \| )/, () => title);
  }, [title]);
}

const neverChanges = () => () => {};

/** A value that only the browser knows, such as the year of its clock; `before` until hydration. */
export const useInBrowser = <T extends string | boolean>(read: () => T, before: T): T =>
  useSyncExternalStore(neverChanges, read, () => before);

/** Whether this is the living page, no longer the prerendered one: before that, a choice or a typed text would be lost. */
export const useIsHydrated = (): boolean => useInBrowser(() => true, false);
