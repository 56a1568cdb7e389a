import type { ActivityEvent } from '../../market/contract.ts';
import { type CardContext, cardOf, collectionHtml } from './parts.ts';
import { saleCard } from './sale.ts';
import type { MessageContent } from './message-content.ts';

/** `/test` and the admin tab's test (rulings R4): the latest real sale, never an invented one; null: none is known. */
export const sampleCard = (sale: ActivityEvent | null, context: CardContext): MessageContent => {
  if (sale === null) {
    const name = collectionHtml(context.collection.name);
    return cardOf([
      `This is a test: messages arrive here. No sale of <b>${name}</b> is known yet, so there is none to show as a sample.`,
    ]);
  }
  const card = saleCard(sale, context);
  return { ...card, html: `<i>This is a sample: the latest real sale.</i>\n${card.html}` };
};
