import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createQueryClient } from '../../ui/api/use-public-answer.ts';
import { Sweeps } from './sweeps.tsx';

const sweep = {
  collectionType: '0x1::bat::Bat',
  name: 'Cave Bats',
  bought: 2,
  sold: 0,
  givenAway: 0,
  held: 2,
  costMist: '20',
  proceedsMist: '0',
  heldAtFloorMist: '30',
  resultMist: '10',
  resultUsd: 1,
  suiHeldUsd: 0,
};
const whole = { state: 'live', complete: true };
const reading = { state: 'unavailable', complete: false };
const pruned = { state: 'live', complete: false };

function shown(answer: object, sweeps: readonly object[]): string {
  const client = createQueryClient();
  const winRate = { won: 0, decided: 0, percent: null };
  client.setQueryData(['/api/treasury/sweeps', 'whole'], { data: { winRate, ...answer, sweeps } });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Sweeps />
    </QueryClientProvider>,
  );
}

describe('rulings R3: unknown sweeps are not shown as none', () => {
  test('the page says that nothing was bought only if all movements are known', () => {
    expect(shown(whole, [])).toContain('Nothing was bought yet.');
    expect(shown(reading, [])).toContain('The movements are still being read');
    expect(shown(pruned, [])).toContain('No purchase is among the known movements.');
    for (const answer of [reading, pruned]) expect(shown(answer, [])).not.toContain('Nothing was bought');
  });

  test('while the movements are being read, the page says that purchases and sales may be missing', () => {
    expect(shown(reading, [sweep])).toContain('purchases and sales may be missing here');
    expect(shown(whole, [sweep])).not.toContain('may be missing');
  });

  test('a piece that was sold but not paid yet has an unknown result and is not shown as unsold', () => {
    expect(shown(whole, [sweep])).toContain('nothing sold yet');
    const sold = { ...sweep, sold: 1, held: 1, proceedsMist: null };
    for (const [answer, sweeps] of [
      [whole, [sweep, sold]],
      [reading, [sweep]],
    ] as const) {
      expect(shown(answer, sweeps)).toContain('no result is known yet');
      expect(shown(answer, sweeps)).not.toContain('nothing sold yet');
    }
  });

  test('counts have commas, and one that is not known is not shown as null', () => {
    const many = { ...sweep, bought: 1_204, held: 1_204 };
    const shownWith = (won: number | null) =>
      shown({ ...whole, winRate: { won, decided: 1_500, percent: 80 } }, [many]);
    expect(shownWith(1_200)).toContain('1,200 of 1,500 pieces sold for more than they cost');
    expect(shownWith(1_200)).toContain('1,204 bought, 1,204 held');
    expect(shownWith(null)).not.toMatch(/null|sold for more/);
  });

  test('the page says how an amount for several pieces is divided', () => {
    expect(shown(whole, [sweep])).toContain(
      'Pieces bought together, or paid out together, share the amount in equal parts.',
    );
  });

  test('the page says what it covers: pieces of every collection, also those in a kiosk that was given away', () => {
    expect(shown(whole, [])).toContain('What the treasury bought of each collection,');
    expect(shown(whole, [sweep])).toMatch(/A\s+kiosk that was given away still counts as held\./);
  });

  test('old figures have a mark and their age, live ones have none', () => {
    const asOf = '2026-11-24T10:00:00.000Z';
    expect(shown({ ...whole, state: 'stale', asOf }, [sweep])).toMatch(/Stale<\/span>.*24 Nov 2026, 10:00 UTC/);
    expect(shown({ ...whole, asOf }, [sweep])).not.toContain('Live');
  });
});
