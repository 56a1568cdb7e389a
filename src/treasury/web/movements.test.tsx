import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Router } from 'wouter';
import { suiCoinType } from '../../shared/sui-address.ts';
import { createQueryClient } from '../../ui/api/use-public-answer.ts';
import { Movements } from './movements.tsx';

const [holder, exchange] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
const coin = {
  coinType: suiCoinType,
  symbol: 'SUI',
  decimals: 9,
  openingRaw: '0',
  inRaw: '5000000000',
  outRaw: '1000000000',
  closingRaw: '4000000000',
  chainRaw: '4000000000',
  unexplainedRaw: '0',
};
const entry = (digest: string, counterparty: object | null) => ({
  digest,
  at: '2026-11-20T12:00:00.000Z',
  kind: 'transfer-in',
  counterparty,
  changes: [{ ...coin, raw: '2500000000' }],
});
const ledger = {
  asOf: '2026-11-25T00:00:00.000Z',
  state: 'live',
  complete: true,
  proofCheckpoint: '912',
  total: 1,
  page: 1,
  pageSize: 50,
  coins: [coin],
  entries: [entry('D1', null)],
};

function shown(given: object, search = '', call = search): string {
  const client = createQueryClient();
  client.setQueryData([`/api/treasury/ledger${call}`, 'whole'], { data: { ...ledger, ...given } });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/rockfolio" ssrSearch={search.slice(1)}>
        <Movements />
      </Router>
    </QueryClientProvider>,
  );
}

test('a movement says how many NFTs moved, and that a kiosk moves with all that is in it', () => {
  const nft = (collectionType: string) => ({ objectId: holder, collectionType, direction: 'out' });
  const shownWith = (nfts: readonly object[]) =>
    shown({ entries: [{ ...entry('D1', null), nfts, nftCount: nfts.length }] });
  expect(shownWith([nft('0x9::bat::Bat'), nft('0x9::bat::Bat')])).toContain('2 NFTs');
  const given = shownWith([nft(`0x${'2'.padStart(64, '0')}::kiosk::KioskOwnerCap`)]);
  expect(given).toContain('1 kiosk, contents included');
  expect(given).not.toContain('1 NFT');
});

describe('rulings R8: what the ledger cannot prove is shown', () => {
  test('a difference has its own line with its amount and direction, and then nothing is said to add up', () => {
    const sums = shown({});
    expect(sums).toContain('Every coin adds up to what was on the chain at checkpoint 912, to the last unit.');
    expect(sums).not.toContain('Unexplained');
    const [more, less] = ['250000000', '-250000000'].map((unexplainedRaw) =>
      shown({ coins: [{ ...coin, unexplainedRaw }] }),
    );
    expect(more).toMatch(
      /role="alert" class="[^"]*text-danger[^"]*">Unexplained: \+0\.25 SUI\. The chain holds more than/,
    );
    expect(less).toMatch(/Unexplained: [-−]0\.25 SUI\. The chain holds less than the movements add up to\./);
    for (const wrong of [more, less]) expect(wrong).not.toContain('Every coin adds up');
  });

  test('a coin that was not compared is neither proven nor wrong', () => {
    const unknown = shown({ coins: [{ ...coin, chainRaw: null, unexplainedRaw: null }] });
    expect(unknown).not.toMatch(/Every coin adds up|Unexplained/);
  });

  test('while the past is first read, the page says how far its sums go, if there are any, and offers no file', () => {
    const upTo = 'The sums go up to that point.';
    const half = shown({ progressText: 'History: 62 %, up to 3 March 2026' });
    expect(half).toContain(`3 March 2026. ${upTo}`);
    expect(half).not.toContain('ledger.csv');
    expect(shown({})).toContain('ledger.csv');
    const unread = shown({ progressText: 'History: nothing read yet', coins: [], entries: [], total: 0 });
    expect(unread).toContain('History: nothing read yet.');
    expect(unread).not.toContain(upTo);
  });

  test('if no node has all movements, the page says since when they are known', () => {
    expect(shown({ knownSince: '2026-03-01T08:30:00.000Z' })).toContain(
      'Movements before 1 Mar 2026, 08:30 UTC are not known: no node has all of them.',
    );
    const [knownUntil, knownSince] = ['2026-02-27T10:00:00.000Z', '2026-03-01T08:30:00.000Z'];
    expect(shown({ knownUntil, knownSince })).toContain(
      'Movements between 27 Feb 2026, 10:00 UTC and 1 Mar 2026, 08:30 UTC are not known: no node has all of them.',
    );
    expect(shown({ knownSince: null })).not.toContain('Movements before');
  });

  test('what moved without a coin is named without a stray comma', () => {
    const gift = { ...entry('D1', null), changes: [], nftCount: 2, nfts: [] };
    const read = (html: string): string => html.replaceAll(/<[^>]+>/g, '');
    expect(read(shown({ entries: [gift] }))).toContain('Received 2 NFTs');
    expect(read(shown({ entries: [{ ...gift, changes: entry('D2', null).changes }] }))).toMatch(/SUI, 2 NFTs/);
  });

  test('the other side is marked as a holder of rocks, with a link to them, or as what the team declared it to be', () => {
    const entries = [
      entry('D1', { address: holder, name: 'grug.sui', role: 'holder' }),
      entry('D2', { address: exchange, name: null, role: 'exchange' }),
    ];
    const html = shown({ entries });
    expect(html).toMatch(new RegExp(`href="/holders/${holder}"[^>]*><bdi>grug\\.sui</bdi></a> \\(holds rocks\\)`));
    expect(html).toMatch(new RegExp(`href="[^"]*/account/${exchange}"[^>]*>.*?</a> \\([^)]*exchange[^)]*\\)`));
    expect(html).not.toContain(`/holders/${exchange}`);
  });
});

describe('the filters are in the address of the page', () => {
  test('a shared address shows the filters it names', () => {
    const html = shown({ apart: 2 }, `?kind=swap&coin=${encodeURIComponent(coin.coinType)}&apart=true&page=2`);
    expect(html).toContain('<option value="swap" selected="">');
    expect(html).toContain(`<option value="${coin.coinType}" selected="">`);
    expect(html).toMatch(/type="checkbox"[^>]*checked=""/);
  });

  test('a coin is chosen however its type is written, and also if it has no sum', () => {
    const call = (type: string) => `?coin=${encodeURIComponent(type)}`;
    expect(shown({}, call('0x2::sui::SUI'), call(suiCoinType))).toContain(
      `<option value="${suiCoinType}" selected="">`,
    );
    const spam = `${holder}::spam::SPAM`;
    expect(shown({}, call(spam))).toContain(`<option value="${spam}" selected="">0xaaaa…aaaa::spam::SPAM</option>`);
  });

  test('unknown filter values are ignored, each with one clear sentence', () => {
    const html = shown({}, '?kind=constructor&coin=gold&page=-1&apart=no', '');
    expect(html).toContain('1 movement<');
    for (const sentence of [
      'There is no such kind: movements of all kinds are shown.',
      'This is no type of a coin: movements of all coins are shown.',
      '&#x27;apart&#x27; is either true or false: unsolicited transfers are left out.',
      'There is no such page: this is the first.',
    ])
      expect(html).toContain(sentence);
    expect(shown({}, '?kind=&coin=&page=1&apart=false', '')).not.toContain('<output class="mb-4');
  });

  test('a page after the last one says so, and not that nothing moved', () => {
    const html = shown({ total: 60, page: 9, entries: [] }, '?page=9');
    expect(html).toContain('There is no such page: the last one is 2.');
    expect(html).not.toMatch(/Nothing has moved|No movement/);
  });
});
