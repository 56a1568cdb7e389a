import { prerender } from 'react-dom/static';
import { placeholderSiteConfig } from '../shared/site-config.ts';
import { App } from './app.tsx';
import { documentHead, headOf } from './page-heads.ts';
import { createPages, type PageName, pageNames, routes } from './pages.tsx';

export interface PrerenderedPage {
  readonly name: PageName;
  readonly head: string;
  readonly body: string;
}

const markupOf = async (name: PageName): Promise<string> => {
  const { parameter, path: only } = routes[name];
  // A page prerenders the same under all of its addresses.
  const path = parameter?.example ?? only ?? '/404';
  const pages = createPages();
  await pages.load(path);
  const { prelude } = await prerender(
    <App pages={pages} siteConfig={placeholderSiteConfig} ssrPath={path} />,
    // A large boundary would otherwise be sent separately and moved into place by an inline script.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return new Response(prelude).text();
};

export const prerenderPages = (): Promise<PrerenderedPage[]> =>
  Promise.all(
    pageNames.map(async (name) => ({
      name,
      head: documentHead(headOf(name)),
      // Components that set a style through React do so again in the browser, where the page's policy allows it.
      body: (await markupOf(name)).replaceAll(/ style="[^"]*"/g, ''),
    })),
  );

export { themeScript } from './frame.tsx';
