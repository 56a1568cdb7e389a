/** What every page of one build shares. Addresses are paths from the site's root. */
export interface BuildFacts {
  readonly style: string;
  readonly themeScript: string;
  readonly entry: string;
  readonly fonts: readonly string[];
}

export interface PageParts {
  readonly head: string;
  readonly body: string;
  /** Scripts that this page needs before it can hydrate, besides the entry. */
  readonly scripts: readonly string[];
}

/** React writes preloads of images in front of the markup; they belong in the head. */
const leadingLinks = /^(?:<link[^>]*>)+/;

/** The document of one page. Everything it needs to paint is inside it or preloaded; the server fills the marked places. */
export function pageDocument(
  { style, themeScript, entry, fonts }: BuildFacts,
  { head, body, scripts }: PageParts,
): string {
  const links = leadingLinks.exec(body)?.[0] ?? '';
  const fontLinks = fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`);
  const scriptLinks = scripts.map((script) => `<link rel="modulepreload" href="${script}">`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="theme-color" content="#0d141c" media="(prefers-color-scheme: dark)">
    <meta name="theme-color" content="#f0ede7" media="(prefers-color-scheme: light)">
    ${head}
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="apple-touch-icon" href="/apple-touch-icon.png">
    <script>${themeScript}</script>
    <style>${style}</style>
    ${[...fontLinks, links, ...scriptLinks].filter((link) => link !== '').join('\n    ')}
    <!--site-config-->
    <script type="module" src="${entry}"></script>
  </head>
  <body>
    <div id="root">${body.slice(links.length)}</div>
  </body>
</html>
`;
}
