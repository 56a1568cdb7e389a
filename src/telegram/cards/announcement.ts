import type { Card } from '../../payouts/announcements-contract.ts';
import { foreignHtml } from './foreign-text.ts';
import type { MessageContent } from './message-content.ts';
import { cardOf, headline, link } from './parts.ts';

const lineGraphemesMax = 200;

/** A card of the team: its words may hold text of strangers, such as the symbol of a coin. */
export const announcementCard = (card: Card): MessageContent =>
  cardOf([
    headline(card.sign, `<b>${foreignHtml(card.headline, lineGraphemesMax)}</b>`),
    ...card.lines.map((line) => foreignHtml(line, lineGraphemesMax)),
    link(card.link.url, card.link.label),
  ]);
