import type { Person } from '../wallets/people.ts';
import type { HeldNft, WalletControl } from '../wallets/wallets.ts';
import { order } from './discord-people.ts';
import { consoleDocument } from './document.ts';
import { suiOf } from './formats.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { PendingView } from './pending-section.ts';
import { pendingSection, pendingState } from './pending-section.ts';

/** `browserUrl`: the product in a browser with a wallet; null until the product's URL is set. */
export type WalletsView = PendingView & { browserUrl: string | null };

const placeWords: Record<HeldNft['place'], string> = {
  wallet: 'in the wallet',
  kiosk: 'in a kiosk',
  'personal-kiosk': 'in a personal kiosk',
  'origin-byte-kiosk': 'in an OriginByte kiosk',
  'simple-listing': 'in a listing object of the marketplace',
};

/** The live parts, by their `data-live` name in the page. */
export function walletsParts(view: WalletsView): Record<string, string> {
  return {
    ...Object.fromEntries(
      view.wallets.people().map((person, index) => [`person-${index}`, holdings(view.wallets, person).markup]),
    ),
    pending: pendingState(view).markup,
  };
}

function holdings(wallets: WalletControl, person: Person): Html {
  const held = wallets.holdings(person);
  if (held.length === 0) return html`<p class="quiet">Holds nothing.</p>`;
  return html`<ul class="held">
    ${held.map((each) => heldItem(wallets, person, each))}
  </ul>`;
}

function heldItem(wallets: WalletControl, person: Person, { nft, place, isLocked, listedAtMist }: HeldNft): Html {
  const listed = listedAtMist === null ? '' : `, listed at ${suiOf(listedAtMist)}`;
  return html`<li>
    <p><b>${nft.name}</b> <small>${placeWords[place]}${isLocked && ', locked'}${listed}</small></p>
    <div class="row" role="group" aria-label="${nft.name}">
      ${saleForm(wallets, person, nft.id)}
      ${listedAtMist === null ? listForm(nft.id) : order('unlist', { nftId: nft.id }, 'Unlist', `Unlist ${nft.name}`)}
      ${listedAtMist === null && !isLocked && moveForms(wallets, person, nft.id, place)}
    </div>
  </li>`;
}

function others(wallets: WalletControl, person: Person): Html[] {
  return wallets
    .people()
    .filter(({ address }) => address !== person.address)
    .map(({ name, address }) => html`<option value="${address}">${name}</option>`);
}

function saleForm(wallets: WalletControl, person: Person, nftId: string): Html {
  return html`<form data-command="wallets/sell">
    <input type="hidden" name="nftId" value="${nftId}" />
    <label
      >Buyer
      <select name="to">
        ${others(wallets, person)}
      </select></label
    >
    <button>Sell</button>
  </form>`;
}

function listForm(nftId: string): Html {
  return html`<form data-command="list">
    <input type="hidden" name="nftId" value="${nftId}" />
    <label>SUI <input name="priceMist" data-unit="sui" value="25" inputmode="decimal" required size="6" /></label>
    <button>List</button>
  </form>`;
}

function moveForms(wallets: WalletControl, person: Person, nftId: string, place: HeldNft['place']): Html {
  const { address } = person;
  return html`<form data-command="transfer">
      <input type="hidden" name="nftId" value="${nftId}" />
      <label
        >To
        <select name="address">
          ${others(wallets, person)}
        </select></label
      >
      <button>Transfer</button>
    </form>
    ${
      place === 'wallet'
        ? order('transfer', { nftId, address, into: 'kiosk' }, 'Move into a kiosk')
        : order('transfer', { nftId, address, into: 'wallet' }, 'Take into the wallet')
    }`;
}

/** Everybody's wallet as one document. */
export function walletsPage(view: WalletsView): Html {
  const { wallets, browserUrl } = view;
  return consoleDocument({
    title: 'Wallets',
    heading: 'Who holds what',
    words: 'People with sandbox wallets. Their keys are real, publicly known and worth nothing.',
    styles: ['wallets.css'],
    liveFrom: '/wallets/live',
    main: html`<main>
      <p class="quiet">
        ${browserUrl !== null && html`<a href="${browserUrl}/">Open the site in a browser with their wallets</a> · `}
        <a href="/discord">Open the servers</a>
      </p>
      ${pendingSection(view)}
      <ul class="cards wallets">
        ${wallets.people().map((person, index) => personCard(view, person, index))}
      </ul>
    </main>`,
  });
}

function personCard({ wallets }: WalletsView, person: Person, index: number): Html {
  const { name, scheme, address, story } = person;
  return html`<li class="slab">
    <section aria-labelledby="person-${index}">
      <h2 id="person-${index}">${name}</h2>
      <p class="quiet">${scheme}. Began with ${story}.</p>
      <p class="address">${address}</p>
      <div data-live="person-${index}">${holdings(wallets, person)}</div>
      ${order('wallets/buy-cheapest', { person: name }, 'Buy the cheapest rock', `Let ${name} buy the cheapest rock`)}
    </section>
  </li>`;
}
