import type { NftSummary, Summary, TokenSummary } from '../control/summary.ts';
import { glanceOf, shortAddress, shortType, suiOf } from './formats.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

function tokenRow(token: TokenSummary): Html {
  const amount =
    token.decimals === null
      ? html`${token.rawBalance}<small>base units</small>`
      : html`${glanceOf(token.rawBalance, token.decimals)}`;
  const price = token.priceUsd === null ? '–' : `$${Number(token.priceUsd).toPrecision(4)}`;
  return html`
    <tr>
      <th scope="row">${token.symbol ?? '(no metadata)'}<small>${shortType(token.coinType)}</small></th>
      <td>${amount}</td>
      <td>
        ${price}${token.confidence !== null && token.confidence < 0.9 ? html`<small>confidence ${String(token.confidence)}</small>` : null}
      </td>
    </tr>
  `;
}

/** NFTs of one collection in one kind of place, counted. */
type Pile = { collection: string; place: string; count: number; listed: NftSummary[] };

function pilesOf(nfts: readonly NftSummary[]): Pile[] {
  const piles = new Map<string, Pile>();
  for (const nft of nfts) {
    const key = `${nft.collection}/${nft.place}`;
    const pile = piles.get(key) ?? { collection: nft.collection, place: nft.place, count: 0, listed: [] };
    pile.count += 1;
    if (nft.listedAtMist !== null) pile.listed.push(nft);
    piles.set(key, pile);
  }
  return [...piles.values()];
}

function pileRow(pile: Pile): Html {
  return html`
    <tr>
      <th scope="row">${pile.collection}</th>
      <td>${pile.place}</td>
      <td>${pile.count}</td>
      <td>${pile.listed.length === 0 ? '–' : pile.listed.map((nft) => suiOf(nft.listedAtMist)).join(', ')}</td>
    </tr>
  `;
}

/** What the treasury wallet holds on this chain, counted or not. */
export function treasuryTables(summary: Summary): Html {
  return html`
    <p class="quiet">
      <span class="address">${shortAddress(summary.treasuryAddress)}</span> · ${summary.tokens.length} coin types ·
      ${summary.nfts.length} NFTs · ${summary.kioskCount} kiosks
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Coins">
      <table>
        <thead>
          <tr>
            <th scope="col">Coin</th>
            <th scope="col">Balance</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          ${summary.tokens.map(tokenRow)}
        </tbody>
      </table>
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="NFTs">
      <table>
        <thead>
          <tr>
            <th scope="col">NFTs</th>
            <th scope="col">Kept in</th>
            <th scope="col">Count</th>
            <th scope="col">Listed at</th>
          </tr>
        </thead>
        <tbody>
          ${pilesOf(summary.nfts).map(pileRow)}
        </tbody>
      </table>
    </div>
  `;
}
