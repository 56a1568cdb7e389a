import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { orUnknown, readable, textOrNone } from './answer-schema.ts';

const coin = z.object({ symbol: z.string(), raw: z.nullable(z.string()), kind: z.enum(['stone', 'shell']) });
const schema = z.object({ at: z.nullable(z.iso.datetime()), coins: z.readonly(z.array(coin)), best: z.nullable(coin) });
const shell = { symbol: 'SHELL', raw: '7', kind: 'shell' };

describe('rulings R2: what a contract describes is read with tolerance', () => {
  it.each([
    ['an absent field is null', {}, { at: null, coins: null, best: null }],
    ['an odd field is null', { at: 'soon', coins: {}, best: 7 }, { at: null, coins: null, best: null }],
    [
      'an unknown word is null, its neighbours stay',
      { at: '2026-11-30T00:00:00+02:00', coins: [{ ...shell, kind: 'bone' }], best: shell },
      { at: '2026-11-30T00:00:00+02:00', coins: [{ ...shell, kind: null }], best: shell },
    ],
    ['an entry of another type is left out', { coins: [7, null, shell] }, { at: null, coins: [shell], best: null }],
  ])('%s', (_rule, answer, read) => {
    expect(readable(schema).parse(answer)).toEqual(read);
  });

  it('without a needed field, the object it belongs to is left out; a needed field may be null where the contract says so', () => {
    const needing = readable(schema, ['coins', 'raw']);
    expect(needing.parse({ coins: [{ raw: null }, { symbol: 'SHELL' }, shell], best: {} })).toEqual({
      at: null,
      coins: [{ symbol: null, raw: null, kind: null }, shell],
      best: null,
    });
    expect(needing.safeParse({ best: shell }).success).toBe(false);
    expect(readable(schema, ['coins.raw']).parse({ coins: [{}], best: {} })).toMatchObject({
      coins: [],
      best: { raw: null },
    });
  });

  it('a field with its own reading is read that way, under every name or only within one list', () => {
    const read = readable(schema, ['coins'], { 'coins.symbol': textOrNone, at: orUnknown(z.iso.datetime()) });
    expect(read.parse({ coins: [{}], best: {} })).toEqual({
      at: undefined,
      coins: [{ symbol: '', raw: null, kind: null }],
      best: { symbol: null, raw: null, kind: null },
    });
  });
});
