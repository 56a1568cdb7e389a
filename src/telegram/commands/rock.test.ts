import { describe, expect, test } from 'vitest';
import { unreadRocks } from '../../../tests/support/activity-events.ts';
import { goodFacts, textOf } from '../../../tests/support/told-facts.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import type { AgedRock, OwnRocks, RockAnswer } from '../../market/rocks-contract.ts';
import { rock, rockAnswer } from './rock.ts';

const owner = `0x${'ab'.repeat(32)}`;
const { now } = goodFacts;
const found: AgedRock = {
  asOf: now.toISOString(),
  state: 'live',
  number: 123,
  objectId: `0x${'1'.repeat(64)}`,
  name: 'Sui Rock #123',
  color: 'Azure Pulse',
  imageUrl: 'https://pictures.example/123.png',
  owner: { address: owner, name: 'grug.sui' },
  place: 'kiosk',
  kioskId: `0x${'2'.repeat(64)}`,
  listing: { priceMist: '13000000000', market: 'tradeport' },
  lastSale: { priceMist: '10000000000', at: new Date(now.getTime() - 3 * 86_400_000).toISOString(), digest: null },
};

const rocksOf = (answer: AgedRock | null | undefined): OwnRocks => ({ ...unreadRocks, find: () => answer });
const told = (typed: string, answer: AgedRock | null | undefined = found) =>
  rockAnswer(typed, { rocks: rocksOf(answer), usdPerSui: '3.5', explorerUrl: 'https://explorer.example', now });

describe('/rock', () => {
  test('shows the picture, color, price, owner, place and last sale, and leads to the page', () => {
    const card = told('123');
    expect(textOf(card)).toBe(
      [
        '🪨 Rock #123, Azure Pulse',
        'For sale for 13 SUI ($45.50) on TradePort',
        'Owner grug.sui, in a kiosk',
        'Last sold for 10 SUI ($35.00), 3 days ago',
        'Its page · NFT',
        'Always about our own collection, Sui Rocks.',
      ].join('\n'),
    );
    expect(card.imageUrl).toBe(found.imageUrl);
    const { links } = readTelegramHtml(card.html);
    expect(links).toContain('https://rocks.example/rocks/123');
    expect(links).toContain(`https://rocks.example/holders/${owner}`);
  });

  test('says how old stale facts are', () => {
    const asOf = new Date(now.getTime() - 3 * 3_600_000).toISOString();
    expect(textOf(told('123', { ...found, asOf, state: 'stale' }))).toContain(
      'As of 3 hours ago: nothing newer could be read.',
    );
    expect(textOf(told('123', { ...found, asOf }))).not.toContain('As of');
  });

  test('says which facts are unknown, and invents none', () => {
    const bare = { ...found, color: null, owner: null, place: null, listing: null, lastSale: null, imageUrl: null };
    const said = textOf(told('#123', bare));
    expect(said).toContain('🪨 Rock #123\nNot for sale\nOwner not known\nNo sale known\n');
    expect(said).not.toContain('0 SUI');
  });

  test('shows the known facts of a listing', () => {
    const saidOf = (listing: RockAnswer['listing']) => textOf(told('123', { ...found, listing })).split('\n')[1];
    expect(saidOf({ priceMist: null, market: 'tradeport' })).toBe('For sale on TradePort, price not known');
    expect(saidOf({ priceMist: '13000000000', market: null })).toBe('For sale for 13 SUI ($45.50)');
    expect(saidOf({ priceMist: null, market: null })).toBe('For sale, price not known');
  });

  test('shows names from the chain and the marketplace as text, never as markup', () => {
    const card = told('123', {
      ...found,
      color: '<b>Azure',
      owner: { address: owner, name: '<i>grug.sui' },
      listing: { priceMist: null, market: '<u>market' },
    });
    const lines = textOf(card).split('\n').slice(0, 3).join('\n');
    expect(lines).toContain('Rock #123, <b>Azure');
    expect(lines).toContain('For sale on <u>market');
    expect(lines).toContain('Owner <i>grug.sui');
  });

  test.each(['', '0', '556', '-1', '1000000000', 'abc', '12.5', '1 2'])(
    'answers %j with the range of numbers',
    (typed) => {
      expect(textOf(told(typed))).toBe('A rock has a number from 1 to 555, for instance /rock 123.');
    },
  );

  test('distinguishes a number that is not minted from rocks that were never read', () => {
    expect(textOf(told('500', null))).toContain('There is no rock #500');
    expect(textOf(rockAnswer('500', { rocks: rocksOf(undefined), usdPerSui: null, explorerUrl: '', now }))).toContain(
      'have not been read yet',
    );
  });

  test('is for anyone, in private too, and is not in the command lists of the specification', () => {
    expect([rock.who, rock.where, rock.page]).toEqual(['anyone', 'everywhere', undefined]);
  });
});
