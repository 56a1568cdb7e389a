import type { ActivityEvent } from '../../market/contract.ts';
import { type CardContext, cardOfEvent, forPrice, personLine, subjectHtml } from './parts.ts';
import type { MessageContent } from './message-content.ts';
import { progressText } from './mint-progress.ts';

export interface MintCount {
  /** Including this mint. */
  readonly mintedCount: number;
  readonly maxSupply: number | null;
}

/** A mint, with the collection's progress. */
export const mintCard = (event: ActivityEvent, context: CardContext, count: MintCount): MessageContent => {
  const price = event.priceMist === 0n ? ' for free' : forPrice(event, context.usdPerSui);
  return cardOfEvent(event, context, {
    headline: `🪨 ${subjectHtml(event, context)} minted${price}`,
    floor: null,
    lines: [personLine('Minter', event.buyer, context.explorerUrl), progressText(count.mintedCount, count.maxSupply)],
  });
};
