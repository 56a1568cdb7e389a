import { escapeHtml } from '../../shared/escape-html.ts';
import { sourceInWords } from '../../shared/source-names.ts';
import type { CollectionFactsAnswer } from '../contract.ts';

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });

/** What stands inside `<noscript>` of the collection's pages; unknown facts are left out, and nothing known is no text at all. */
export function collectionNoscriptHtml({ data }: CollectionFactsAnswer): string {
  const { mintedCount, maxSupply, floorSui, listedCount, holderCount, asOf, source, state } = data;
  const facts = [
    mintedCount === null ? null : `${number(mintedCount)} of ${number(maxSupply)} minted`,
    floorSui === null ? null : `floor ${number(floorSui)} SUI`,
    listedCount === null ? null : `${number(listedCount)} listed`,
    holderCount === null ? null : `${number(holderCount)} holders`,
  ].filter((fact) => fact !== null);
  if (facts.length === 0 || asOf === null) return '';
  // A page without scripts cannot count an age that goes on growing, so it gives the moment.
  const moment = `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;
  return `<p>${escapeHtml(facts.join(', '))} (${state}, as of ${moment}, source: ${escapeHtml(sourceInWords(source))})</p>`;
}
