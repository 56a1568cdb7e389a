import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type Json, variantsOf } from '../../../tests/support/answer-variants.ts';
import { createQueryClient } from '../../ui/api/use-public-answer.ts';
import { CollectionFacts } from './collection-facts.tsx';

const full = {
  collectionType: '0x2::rocks::Nft',
  name: 'Sui Rocks',
  mintedCount: 374,
  maxSupply: 555,
  floorSui: 12.4,
  listedCount: 9,
  holderCount: 120,
  asOf: '2026-11-25T00:00:00.000Z',
  source: 'tradeport',
  state: 'live',
};

function shown(answer: Json): string {
  const client = createQueryClient();
  client.setQueryData(['/api/collection', 'whole'], { data: answer });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <CollectionFacts />
    </QueryClientProvider>,
  );
}

const numbersIn = (markup: string): string[] =>
  [...markup.matchAll(/figure-value"><span>([^<]*)/g)].map(([, value = '']) => value);

describe('rulings R2: the live facts of the collection cope with any answer', () => {
  it('show minted, floor and holders', () => {
    expect(numbersIn(shown(full))).toEqual(['374', '12.4', '120']);
  });

  it('write a price as the bot does (rulings R4)', () => {
    expect(numbersIn(shown({ ...full, floorSui: 0.012_345_678 }))[1]).toBe('0.01235');
  });

  it('say that nothing is known when the answer has no fields', () => {
    expect(shown({})).toContain('not known yet');
  });

  it.each(variantsOf(full, {}))('$title', ({ answer }) => {
    const numbers = numbersIn(shown(answer));
    expect(['374', '12.4', '120']).toEqual(expect.arrayContaining(numbers));
    expect(numbers.length).toBeGreaterThanOrEqual(2);
  });
});
