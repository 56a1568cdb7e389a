import { hexOf } from '../../artwork/colour.ts';
import { stones } from '../../artwork/palette.ts';
import type { ActivitySummary, CollectionSummary, Summary } from '../control/summary.ts';
import { rockColours, rockMaxSupply } from '../world/rocks.ts';
import { clockOf, shortAddress, suiOf } from './formats.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

function collectionRow(row: CollectionSummary): Html {
  const { collection } = row;
  const supply = collection.maxSupply === null ? String(row.supply) : `${row.supply} of ${collection.maxSupply}`;
  const standing = collection.onMarketplace
    ? collection.verified
      ? 'verified'
      : 'unverified'
    : 'not on the marketplace';
  return html`
    <tr>
      <th scope="row">${collection.title}<small>${standing}</small></th>
      <td>${suiOf(row.floorMist)}</td>
      <td>${supply}</td>
      <td>${row.ownerCount}</td>
      <td>${row.listedCount}</td>
    </tr>
  `;
}

/** The six colours in their proportion. */
export function colourBar(): Html {
  let start = 0;
  const bars = rockColours.map((colour) => {
    const bar = html`<rect x="${start}" width="${colour.count}" height="14" fill="${hexOf(stones[colour.key])}"
      ><title>${colour.name}, ${colour.count}</title></rect
    >`;
    start += colour.count;
    return bar;
  });
  return html`<svg
    class="colours"
    viewBox="0 0 ${rockMaxSupply} 14"
    preserveAspectRatio="none"
    role="img"
    aria-label="${rockColours.map((colour) => `${colour.name} ${colour.count}`).join(', ')}"
  >
    ${bars}
  </svg>`;
}

export function collectionTable(summary: Summary): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Collections">
      <table>
        <thead>
          <tr>
            <th scope="col">Collection</th>
            <th scope="col">Floor</th>
            <th scope="col">Minted</th>
            <th scope="col">Owners</th>
            <th scope="col">Listed</th>
          </tr>
        </thead>
        <tbody>
          ${summary.collections.map(collectionRow)}
        </tbody>
      </table>
    </div>
  `;
}

function activityRow(action: ActivitySummary, nowMs: number): Html {
  return html`
    <li>
      <span class="kind kind-${action.type}">${action.type}</span>
      <span class="subject">${action.subject}</span>
      <span class="figures">${suiOf(action.priceMist)}</span>
      <span class="quiet figures">${shortAddress(action.sender)} → ${shortAddress(action.receiver)}</span>
      <time class="quiet figures">${clockOf(action.blockTimeMs, nowMs)}</time>
    </li>
  `;
}

export function activityList(summary: Summary, nowMs: number): Html {
  return html`<ol class="activity">
    ${summary.activity.map((action) => activityRow(action, nowMs))}
  </ol>`;
}
