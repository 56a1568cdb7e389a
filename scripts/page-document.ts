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

const waitAtMostMs = 3_000;

/**
 * The page is complete without its scripts, so they start after it has loaded and painted, or after 3 s when a picture hangs
 * or the tab is in the background. The last one is the entry. If that cannot be loaded (the connection broke, or another
 * version was installed meanwhile), the page says so.
 */
const startScript = (scripts: readonly string[]): string =>
  `(function(s){function go(){if(s){s.forEach(function(h){var l=document.createElement('link');l.rel='modulepreload';` +
  `l.href=h;document.head.append(l)});import(s[s.length-1]).catch(function(){document.documentElement.dataset.lost=''});s=0}}` +
  `function painted(){var r=requestAnimationFrame;r(function(){r(function(){setTimeout(go)})})}` +
  `document.readyState=='complete'?painted():addEventListener('load',painted);setTimeout(go,${waitAtMostMs})})` +
  `(${JSON.stringify(scripts)})`;

/** The document of one page. Everything it needs to paint is inside it or preloaded; the server fills in the placeholders. */
export function pageDocument(
  { style, themeScript, entry, fonts }: BuildFacts,
  { head, body, scripts }: PageParts,
): string {
  const links = leadingLinks.exec(body)?.[0] ?? '';
  const fontLinks = fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`);
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
    ${[...fontLinks, links].filter((link) => link !== '').join('\n    ')}
    <!--site-config-->
    <script>${startScript([...scripts, entry])}</script>
  </head>
  <body>
    <div id="root">${body.slice(links.length)}</div>
    <p class="lost-note" role="alert">This page could not be loaded completely. <a href="">Load it again</a></p>
  </body>
</html>
`;
}
