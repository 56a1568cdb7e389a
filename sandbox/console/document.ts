import type { Html } from './html.ts';
import { html } from './html.ts';

export type ConsoleDocument = {
  title: string;
  heading: string;
  words: string;
  /** Style sheets besides the console's own, by file name. */
  styles: readonly string[];
  /** URL of the live parts. */
  liveFrom: string;
  main: Html;
};

/** The frame of every console page except the first. */
export function consoleDocument({ title, heading, words, styles, liveFrom, main }: ConsoleDocument): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Sui Rocks sandbox</title>
        <link rel="icon" href="/image/rock/1.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console.css" />
        ${styles.map((style) => html`<link rel="stylesheet" href="/${style}" />`)}
        <script src="/console.js" defer></script>
      </head>
      <body data-live-from="${liveFrom}">
        <header>
          <img src="/image/rock/1.svg" alt="" width="56" height="56" />
          <div>
            <h1>${heading}</h1>
            <p class="quiet">${words} <a href="/">Back to the console</a></p>
          </div>
          <noscript>Without JavaScript this page can be read, but its forms do not work.</noscript>
        </header>
        ${main}
        <p class="said" role="status" aria-live="polite"></p>
      </body>
    </html>`;
}
