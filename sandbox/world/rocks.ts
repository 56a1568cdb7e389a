import { createRandom } from './random.ts';
import type { Colour } from './state.ts';

/** Specification 3: the six colours and the number of rocks in each, 555 in all. */
export const rockColours: readonly Colour[] = [
  { key: 'powder-blue', name: 'Powder Blue', count: 160 },
  { key: 'azure-pulse', name: 'Azure Pulse', count: 120 },
  { key: 'cool-cobalt', name: 'Cool Cobalt', count: 100 },
  { key: 'ocean-stone', name: 'Ocean Stone', count: 85 },
  { key: 'charcoal-slate', name: 'Charcoal Slate', count: 60 },
  { key: 'frosted-mist', name: 'Frosted Mist', count: 30 },
];

export const rockMaxSupply = 555;

/** Fixed: a rock's colour does not depend on the seed of the world. */
const colourByNumber: readonly Colour[] = createRandom(555).shuffle(
  rockColours.flatMap((colour) => Array.from({ length: colour.count }, () => colour)),
);

/** The colour of rock number 1 to 555. */
export function colourOfRock(number: number): Colour {
  const colour = colourByNumber[number - 1];
  if (!colour) throw new Error(`No rock has the number ${number}`);
  return colour;
}
