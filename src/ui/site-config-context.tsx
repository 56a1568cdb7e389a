import { createContext, useContext } from 'react';
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
