import type { FoundCollection } from '../../market/contract.ts';
import { cardOf } from '../cards/parts.ts';
import type { MessageContent } from '../cards/message-content.ts';
import { proposedSupply } from './supply-answer.ts';

/** A zero too many, rather than a mint that has only begun. */
const farAboveTimes = 10;

const countText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

interface Typed {
  readonly found: FoundCollection;
  /** As it was typed now. */
  readonly supply: number;
  /** The message that it replies to. */
  readonly repliesTo: string;
}

/** A maximum far above what was found is asked for twice: the same number, in reply to this, is meant. null: no doubt. */
export function supplyDoubt({ found, supply, repliesTo }: Typed): MessageContent | null {
  const proposed = proposedSupply(found);
  if (proposed === null || supply < proposed.supply * farAboveTimes) return null;
  const asked = `${countText(supply)} is far more than the ${countText(proposed.supply)} found.`;
  if (repliesTo.startsWith(asked)) return null;
  return cardOf([
    `${asked} If it is right, reply to this message with ${supply} again; if not, with the right number.`,
  ]);
}

/** Its words as Telegram hands them back. */
export const isSupplyDoubt = (text: string): boolean => /^[\d,]+ is far more than the [\d,]+ found\./.test(text);
