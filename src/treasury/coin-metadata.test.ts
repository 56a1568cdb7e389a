import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../tests/support/manual-clock.ts';
import { until } from '../../tests/support/until.ts';
import { untilAborted } from '../process/in-time.ts';
import { cleanText } from '../shared/foreign-text.ts';
import { Unavailable } from '../shared/failure.ts';
import {
  cleanIconUrl,
  type CoinMetadataStore,
  createCoinMetadataCache,
  isDue,
  type KnownMetadata,
} from './coin-metadata.ts';
import type { CoinMetadata } from './core/reading.ts';

const meme = '0xa::meme::MEME';
const lost = '0xb::lost::LOST';
const never = new AbortController().signal;
const hourMs = 3_600_000;

const metadataOf = (coinType: string): CoinMetadata => ({
  coinType,
  decimals: 6,
  symbol: 'ME\u0000ME\u202E',
  name: 'x'.repeat(500),
  iconUrl: 'javascript:alert(1)',
});

/** A chain that knows the meme coin, and a store in memory. */
const setUp = () => {
  const clock = createManualClock();
  const chain = { isDown: false, silentFor: '' };
  const rows = new Map<string, KnownMetadata>();
  const sui = {
    readCoinInfo: async (coinType: string, stop?: AbortSignal) => {
      if (coinType === chain.silentFor) await untilAborted(new Promise<never>(() => {}), stop ?? never);
      if (chain.isDown) return Promise.reject(new Unavailable('timeout', 'no answer'));
      return Promise.resolve(coinType === lost ? null : metadataOf(coinType));
    },
  };
  const store: CoinMetadataStore = {
    loadMetadata: (types) => Promise.resolve(new Map([...rows].filter(([type]) => types.includes(type)))),
    saveMetadata: (entries) => {
      for (const entry of entries) rows.set(entry.coinType, entry);
      return Promise.resolve();
    },
  };
  return { clock, chain, cache: createCoinMetadataCache(sui, store, clock) };
};

describe('metadata of the coins held', () => {
  test('is cleaned and stored; if the chain has none, that fact is stored too', async () => {
    const { cache } = setUp();
    await cache.read([meme, lost], never);
    const known = await cache.load([meme, lost]);
    expect(known.get(meme)?.metadata).toMatchObject({ symbol: 'MEME', iconUrl: null, name: 'x'.repeat(100) });
    expect(known.get(lost)?.metadata).toBeNull();
  });

  test('of one coin that gets no answer until time is up does not cost the names of the others', async () => {
    const { cache, chain } = setUp();
    const others = Array.from({ length: 9 }, (_, at) => `0xc::c${at}::C`);
    chain.silentFor = lost;
    const time = new AbortController();
    const reading = cache.read([lost, ...others], time.signal);
    await until('the others are known', async () => (await cache.load(others)).size === others.length);
    time.abort(new Unavailable('timeout', 'Time is up'));
    await expect(reading).rejects.toThrow('Time is up');
    expect((await cache.load([lost])).size).toBe(0);
  });

  test('is read again daily, or hourly if the chain had none', async () => {
    const { cache, clock } = setUp();
    await cache.read([meme, lost], never);
    const known = await cache.load([meme, lost]);
    const due = () => [...known.values()].filter((each) => isDue(each, clock.now())).map(({ coinType }) => coinType);
    expect(due()).toEqual([]);
    clock.advance(hourMs + 1);
    expect(due()).toEqual([lost]);
    clock.advance(24 * hourMs);
    expect(due()).toEqual([meme, lost]);
  });

  test('is kept during an outage, which is thrown as an error', async () => {
    const { cache, chain } = setUp();
    await cache.read([meme], never);
    chain.isDown = true;
    await expect(cache.read([meme, lost], never)).rejects.toThrow(Unavailable);
    const known = await cache.load([meme, lost]);
    expect([...known.keys()]).toEqual([meme]);
    expect(known.get(meme)?.metadata).toMatchObject({ decimals: 6 });
  });

  test('no longer holds up the treasury once one coin has failed three times in a row; that coin can still be read later', async () => {
    const { cache, chain } = setUp();
    chain.isDown = true;
    await expect(cache.read([meme], never)).rejects.toThrow(Unavailable);
    await expect(cache.read([meme], never)).rejects.toThrow(Unavailable);
    await cache.read([meme], never);
    expect((await cache.load([meme])).size).toBe(0);
    chain.isDown = false;
    await cache.read([meme], never);
    expect((await cache.load([meme])).size).toBe(1);
  });
});

describe('texts from outside', () => {
  test.each([
    ['U+0000, which PostgreSQL refuses', 'a\u0000b', 'ab'],
    ['a lone surrogate, which JSON columns refuse', 'a\ud800b', 'ab'],
    ['a right-to-left override', 'abc\u202Etxt', 'abctxt'],
    ['zero width letters', 'S\u200BUI', 'SUI'],
    ['line breaks', ' a\n\r\n b ', 'a b'],
    ['a line break keeps two words apart', 'The sale.\nThank you', 'The sale. Thank you'],
    ['emoji are kept whole', '🪨🪨🪨', '🪨🪨'],
  ])('%s', (_what, text, clean) => {
    expect(cleanText(text, text.startsWith('🪨') ? 2 : 32)).toBe(clean);
  });

  test('are cut to the limit, however long they are', () => {
    expect(cleanText('x'.repeat(1_000_000), 32)).toHaveLength(32);
  });

  test.each([
    ['https://icons.example/sui.svg', true],
    ['http://icons.example/sui.svg', false],
    ['data:image/svg+xml,<svg/>', false],
    ['javascript:alert(1)', false],
    ['https://a.example/"><script>', false],
    ['', false],
  ])('an icon at %s is kept: %s', (url, kept) => {
    expect(cleanIconUrl(url)).toBe(kept ? url : null);
  });
});
