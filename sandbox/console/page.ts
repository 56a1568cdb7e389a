import type { Summary } from '../control/summary.ts';
import { activityList, collectionTable, colourBar } from './collection-section.ts';
import { forms, nftLists } from './forms.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { serviceSection, serviceState } from './service-section.ts';
import { treasuryTables } from './treasury-section.ts';

export type PageFacts = {
  summary: Summary;
  urls: Readonly<Record<string, string>>;
  listed: readonly { nftId: string; name: string }[];
  nowMs: number;
};

/** The live parts, by their `data-live` name in the page. */
export function liveParts({ summary, nowMs }: PageFacts): Record<string, string> {
  const services = summary.services.map(
    (service) => [`service-${service.name}`, serviceState(service).markup] as const,
  );
  return {
    ...Object.fromEntries(services),
    market: marketState(summary).markup,
    treasury: treasuryTables(summary).markup,
    collections: collectionTable(summary).markup,
    activity: activityList(summary, nowMs).markup,
  };
}

function marketState(summary: Summary): Html {
  return html`<span class="state ${summary.livingMarket ? 'state-well' : 'state-still'}">
    ${summary.livingMarket ? 'The market is running' : 'The market is stopped'}
  </span>`;
}

function head(): Html {
  return html`
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Sui Rocks sandbox</title>
    <link rel="icon" href="/image/rock/1.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/console.css" />
    <script src="/console.js" defer></script>
  `;
}

function masthead(summary: Summary): Html {
  return html`
    <header>
      <img src="/image/rock/1.svg" alt="" width="56" height="56" />
      <div>
        <h1>Sandbox console</h1>
        <p class="quiet">
          The sandbox imitates Sui, the marketplace, the prices, Telegram and Discord on this machine.
          <a href="/chat">Open the chats</a> · <a href="/discord">Open the servers</a> ·
          <a href="/wallets">Open the wallets</a>
        </p>
      </div>
      <div class="row">
        <span data-live="market">${marketState(summary)}</span>
        <form data-command="living-market">
          <input type="hidden" name="running" data-boolean value="${summary.livingMarket ? 'false' : 'true'}" />
          <button>${summary.livingMarket ? 'Stop the market' : 'Start the market'}</button>
        </form>
        <form data-command="living-market/tick"><button>One event</button></form>
        <form data-command="reset"><button class="break">Reset to the seed</button></form>
      </div>
      <noscript>Without JavaScript this page can be read, but its forms do not work.</noscript>
    </header>
  `;
}

/** The whole console as one document. */
export function page(facts: PageFacts): Html {
  const { summary, urls, listed, nowMs } = facts;
  return html`<!doctype html>
    <html lang="en">
      <head>
        ${head()}
      </head>
      <body>
        ${masthead(summary)}
        <main>
          ${serviceSection(summary.services, urls)}
          <div class="columns">
            <section aria-labelledby="treasury">
              <h2 id="treasury">Treasury</h2>
              <div data-live="treasury">${treasuryTables(summary)}</div>
            </section>
            <section aria-labelledby="collections">
              <h2 id="collections">Collections</h2>
              ${colourBar()}
              <div data-live="collections">${collectionTable(summary)}</div>
              <h2>Latest activity</h2>
              <div data-live="activity">${activityList(summary, nowMs)}</div>
            </section>
          </div>
          ${forms(summary)} ${nftLists(summary, listed)}
        </main>
        <p class="said" role="status" aria-live="polite"></p>
      </body>
    </html>`;
}
