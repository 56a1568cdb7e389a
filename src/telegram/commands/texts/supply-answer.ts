import type { FoundCollection } from '../../../market/contract.ts';
import { cardOf } from '../../cards/parts.ts';
import type { MessageContent } from '../../cards/message-content.ts';

/** The most that the bot counts to: a whole number from 1 to a billion. */
export const supplyMax = 1_000_000_000;

type SupplyAnswer =
  | { readonly kind: 'supply'; readonly supply: number }
  /** One sentence that says what to send instead. */
  | { readonly kind: 'refused'; readonly problem: string };

const countText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** An acceptable example: not below what is minted already. */
export const exampleSupply = (mintedCount: number | null): string => countText(Math.max(555, mintedCount ?? 0));

/** Each says what to send instead. */
const problemsOf = (mintedCount: number | null) => {
  const example = `for example ${exampleSupply(mintedCount)}`;
  return {
    empty: `Please send the maximum supply as a number, ${example}.`,
    negative: `A supply cannot be negative. Please send a whole number, ${example}.`,
    decimals: `A supply is a whole number. Please send it without decimals, ${example}.`,
    noNumber: `That is not a number. Please send the maximum supply in digits only, ${example}.`,
    zero: `A supply of 0 leaves nothing to mint. Please send a whole number, ${example}.`,
    tooSmall: `${countText(mintedCount ?? 0)} are minted already, so the maximum supply cannot be lower. Please send at least that number.`,
    tooLarge: `That is more than 1,000,000,000. Please send a smaller number, ${example}.`,
  };
};

const withoutNumbers = (text: string): string => text.replaceAll(/\d[\d,]*/g, '#');
const refusalShapes = new Set(Object.values(problemsOf(null)).map(withoutNumbers));

/** Whether this text refuses a supply, whatever its numbers. */
export const isSupplyRefusal = (text: string): boolean => refusalShapes.has(withoutNumbers(text));

const refused = (problem: string): SupplyAnswer => ({ kind: 'refused', problem });

/** Digits, or digits in groups of three as people write large numbers: `10,000`, `10 000`, `10.000`, `10_000`. */
const plain = /^\d+$/;
const grouped = /^\d{1,3}([,._ ' ])\d{3}(?:\1\d{3})*$/;

/** A typed maximum supply. `mintedCount`: the minimum; null: unknown. */
export const parseSupply = (text: string, mintedCount: number | null = null): SupplyAnswer => {
  const typed = text.trim();
  const problems = problemsOf(mintedCount);
  if (typed === '') return refused(problems.empty);
  if (/^-\s*\d/.test(typed)) return refused(problems.negative);
  if (!plain.test(typed) && !grouped.test(typed)) {
    return /^\d+[.,]\d+$/.test(typed) ? refused(problems.decimals) : refused(problems.noNumber);
  }
  const digits = typed.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (digits === '0') return refused(problems.zero);
  if (digits.length > 10 || Number(digits) > supplyMax) return refused(problems.tooLarge);
  if (mintedCount !== null && Number(digits) < mintedCount) return refused(problems.tooSmall);
  return { kind: 'supply', supply: Number(digits) };
};

/**
 * What the setup proposes: the stated maximum or else what exists now, which is right only once the mint is over
 * (rulings R3: a marketplace's supply is what is minted). null: nothing to propose.
 */
export const proposedSupply = (
  found: FoundCollection,
): { readonly supply: number; readonly isMaximum: boolean } | null => {
  const supply = found.maxSupply ?? found.mintedCount;
  const isUsable = supply !== null && Number.isInteger(supply) && supply >= 1 && supply <= supplyMax;
  return isUsable ? { supply, isMaximum: found.maxSupply !== null } : null;
};

/** From here an extra zero is likelier than a mint that has only begun. */
const farAboveTimes = 10;

interface Typed {
  readonly found: FoundCollection;
  /** As typed now. */
  readonly supply: number;
  /** The message that was replied to. */
  readonly repliesTo: string;
}

/** A maximum far above what was found is asked for twice: the same reply again is accepted. null: no doubt. */
export function supplyDoubt({ found, supply, repliesTo }: Typed): MessageContent | null {
  const proposed = proposedSupply(found);
  if (proposed === null || supply < proposed.supply * farAboveTimes) return null;
  const asked = `${countText(supply)} is far more than the ${countText(proposed.supply)} found.`;
  if (repliesTo.startsWith(asked)) return null;
  return cardOf([
    `${asked} If it is right, reply to this message with ${supply} again; if not, with the right number.`,
  ]);
}

/** Its text as Telegram returns it. */
export const isSupplyDoubt = (text: string): boolean => /^[\d,]+ is far more than the [\d,]+ found\./.test(text);
