import type { Summary } from '../control/summary.ts';
import { seedHolders } from '../seed/population.ts';
import { shortAddress, shortType } from './formats.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const places = ['wallet', 'kiosk', 'personal-kiosk', 'origin-byte-kiosk'];

function people(summary: Summary, name: string): Html {
  const collectors = seedHolders().slice(0, 12);
  return html`
    <select name="${name}">
      <option value="${summary.treasuryAddress}">Treasury</option>
      ${collectors.map(({ address }, index) => html`<option value="${address}">Collector ${index} ${shortAddress(address)}</option>`)}
    </select>
  `;
}

function coins(summary: Summary): Html {
  const known = summary.tokens.filter((token) => token.decimals !== null);
  return html`
    <select name="coinType">
      ${known.map(
        ({ coinType, symbol, decimals }) =>
          html`<option value="${coinType}" data-decimals="${decimals ?? 0}">
            ${symbol ?? ''} · ${shortType(coinType)}
          </option>`,
      )}
    </select>
  `;
}

function collections(summary: Summary): Html {
  return html`
    <select name="collection">
      ${summary.collections.map(({ collection }) => html`<option value="${collection.key}">${collection.title}</option>`)}
    </select>
  `;
}

const into = html`
  <select name="into">
    ${places.map((place) => html`<option>${place}</option>`)}
  </select>
`;

function nftInput(list: 'treasury-nfts' | 'listed-nfts'): Html {
  return html`<input name="nftId" list="${list}" placeholder="0x…" required autocomplete="off" spellcheck="false" />`;
}

function form(title: string, command: string, fields: Html, action = title): Html {
  return html`
    <form class="slab" data-command="${command}">
      <h3>${title}</h3>
      ${fields}
      <button>${action}</button>
    </form>
  `;
}

const price = html`<label
  >Price, SUI <input name="priceMist" data-unit="sui" value="12.5" inputmode="decimal" required
/></label>`;

/** One form for each event that can be triggered. */
export function forms(summary: Summary): Html {
  return html`
    <section aria-labelledby="drive">
      <h2 id="drive">Make something happen</h2>
      <div class="cards">
        ${form(
          'Set a balance',
          'set-balance',
          html`<label>Coin ${coins(summary)}</label>
            <label
              >In coins <input name="coinBalance" data-unit="coin" value="1000" inputmode="decimal" required
            /></label>
            <label
              >In the address balance <input name="addressBalance" data-unit="coin" value="0" inputmode="decimal"
            /></label>`,
        )}
        ${form(
          'Set a price',
          'set-price',
          html`<label>Coin ${coins(summary)}</label>
            <label>USD <input name="priceUsd" value="1.84" inputmode="decimal" required /></label>
            <label>Confidence <input name="confidence" data-number value="0.99" inputmode="decimal" /></label>`,
        )}
        ${form(
          'Mint',
          'mint',
          html`<label>Collection ${collections(summary)}</label>
            <label>To ${people(summary, 'address')}</label>
            <label>Into ${into}</label>`,
        )}
        ${form('List', 'list', html`<label>NFT ${nftInput('treasury-nfts')}</label>${price}`)}
        ${form('Sell', 'sell', html`<label>Listed NFT ${nftInput('listed-nfts')}</label><label>Buyer ${people(summary, 'buyer')}</label>`)}
        ${form(
          'Move an NFT',
          'move-nft',
          html`<label>NFT ${nftInput('treasury-nfts')}</label>
            <label>To ${people(summary, 'address')}</label>
            <label>Into ${into}</label>`,
          'Move',
        )}
        ${form(
          'Bid on a collection',
          'collection-bid',
          html`<label>Collection ${collections(summary)}</label>${price}<label
              >Bidder ${people(summary, 'bidder')}</label
            >`,
          'Bid',
        )}
      </div>
    </section>
  `;
}

/** Suggestions for the NFT fields. */
export function nftLists(summary: Summary, listed: readonly { nftId: string; name: string }[]): Html {
  return html`
    <datalist id="treasury-nfts">
      ${summary.nfts.map((nft) => html`<option value="${nft.id}">${nft.name}</option>`)}
    </datalist>
    <datalist id="listed-nfts">
      ${listed.map((nft) => html`<option value="${nft.nftId}">${nft.name}</option>`)}
    </datalist>
  `;
}
