import type { ActivityEvent } from '../../market/contract.ts';
import {
  type CardContext,
  cardOf,
  headline,
  linkLine,
  marketLine,
  joined,
  personLine,
  priceHtml,
  rankLine,
  subjectHtml,
} from './parts.ts';
import { marketButton } from './market-button.ts';
import type { MessageContent } from './message-content.ts';
import { progressText } from './progress-text.ts';

export interface MintCount {
  /** Including this mint. */
  readonly mintedCount: number;
  readonly maxSupply: number | null;
}

/** A mint, with the collection's progress. */
export const mintCard = (event: ActivityEvent, context: CardContext, count: MintCount): MessageContent => {
  const price = priceHtml(event, context.usdPerSui);
  const words = event.priceMist === 0n ? 'minted for free' : `minted${price === null ? '' : ` for ${price}`}`;
  return cardOf(
    [
      headline('🪨', `${subjectHtml(event, context)} ${words}`),
      joined([rankLine(event), marketLine(event)]),
      personLine('Minter', event.buyer, context.explorerUrl),
      progressText(count.mintedCount, count.maxSupply),
      linkLine(event, context.explorerUrl),
    ],
    { imageUrl: event.nft?.imageUrl ?? null, ...marketButton(context, event) },
  );
};
