import { describe, expect, test } from 'vitest';
import { someAddress, someFound } from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { unavailableAnswer } from '../cards/chat-texts.ts';
import { lookupRefusal } from './setup.ts';
import { parseAction } from './texts/callback-data.ts';
import { confirmSupply, setupDone, setupKeyOf } from './texts/setup-texts.ts';

const key = setupKeyOf(someFound());
const textOf = ({ html }: MessageContent): string => readTelegramHtml(html).text;
const buttonsOf = ({ buttons }: MessageContent) => buttons.flat().map(({ data }) => parseAction(data ?? ''));

describe('/setup: the answer says what to send instead of', () => {
  test.each([
    ['an address of another chain', { kind: 'malformed', problem: 'foreign-chain' }, /another chain.*Sui/s],
    [
      'a link to something else',
      { kind: 'malformed', problem: 'other-link' },
      /does not lead to a collection at the marketplace.*send the link of its page there.*tradeport\.xyz\/sui\/collection\//s,
    ],
    ['the address of a wallet', { kind: 'malformed', problem: 'wallet' }, /a wallet.*send the contract address/s],
    ['the address of a coin', { kind: 'malformed', problem: 'coin' }, /a coin.*send the contract address/s],
    ['unreadable text', { kind: 'malformed', problem: 'unreadable' }, /That is not a contract address.*For example/s],
    [
      'an address that only the chain knows',
      { kind: 'unknown', existsOnChain: true, isName: false },
      /exists on Sui.*send the address of a collection/s,
    ],
    [
      'an address that exists nowhere',
      { kind: 'unknown', existsOnChain: false, isName: false },
      /Sui knows this address.*send \/setup again/s,
    ],
    [
      'a name that no collection has',
      { kind: 'unknown', existsOnChain: false, isName: true },
      /no collection by that name.*link of its page/s,
    ],
    [
      'an unverified collection',
      { kind: 'unverified', collection: someFound(), verified: [] },
      /not verified.*send the address/s,
    ],
  ] as const)('%s', (_what, lookup, said) => expect(textOf(lookupRefusal(lookup))).toMatch(said));

  test('an unverified namesake: the verified collection, or each of them', () => {
    const real = someFound();
    const fake = someFound({ slug: `${someAddress(0xbad)}::rocks::Nft`, isVerified: false, name: '<b>Sui Rocks</b>' });
    const answer = lookupRefusal({ kind: 'unverified', collection: fake, verified: [real] });
    expect(textOf(answer)).toContain(real.slug);
    expect(textOf(answer)).not.toContain(fake.slug);
    expect(textOf(answer)).toContain('This <b>Sui Rocks');
    expect(textOf(answer)).toContain('if you meant it, send');
    const two = { kind: 'unverified', collection: fake, verified: [real, { ...real, slug: 'sui-rocks' }] } as const;
    expect(textOf(lookupRefusal(two))).toContain('if you meant one of them, send');
  });
});

describe('Specification 2, step 3: confirm the maximum supply', () => {
  test('shows name, picture and supply, and offers to use the found supply or to enter another', () => {
    const question = confirmSupply(someFound());
    expect(textOf(question)).toMatch(/Found: Sui Rocks, verified.*412 minted · Floor 13 SUI.*maximum supply 555\?/s);
    expect(question.imageUrl).toBe('https://images.example/collection.png');
    expect(buttonsOf(question)).toEqual([
      ['use-supply', key, 555],
      ['enter-supply', key],
      ['cancel-setup', key],
    ]);
  });

  test('the number minted so far is never presented as the maximum supply (rulings R3)', () => {
    const question = confirmSupply(someFound({ maxSupply: null }));
    expect(textOf(question)).toContain('So far 412 exist. Is that the maximum supply, or will there be more?');
    expect(question.buttons[0]?.[0]?.text).toBe('Use 412');
  });

  test('without any known figure, a number has to be entered', () =>
    expect(buttonsOf(confirmSupply(someFound({ maxSupply: null, mintedCount: null })))).toEqual([
      ['enter-supply', key],
      ['cancel-setup', key],
    ]));

  test('the last answer says where notifications go', () => {
    expect(textOf(setupDone({ name: 'Sui Rocks', maxSupply: 10_000, place: 'to this topic' }))).toMatch(
      /10,000.*to this topic/s,
    );
    expect(textOf(setupDone({ name: 'Sui Rocks', maxSupply: 555, place: 'here' }))).toMatch(/555.*come here/s);
  });
});

test.each([
  ['The Sui full node', 'The Sui full node is not answering right now.'],
  ['The marketplace', 'The marketplace is not answering right now.'],
  [null, 'The marketplace or the Sui full node is not answering right now.'],
])('the answer to an outage of %j names it', (upstream, words) =>
  expect(textOf(unavailableAnswer({ upstream, reason: 'timeout' }))).toContain(words),
);

test.each(['marketplace-key-missing', 'marketplace-key-refused'])(
  'a failure that only the operator can fix (%s) is answered so',
  (reason) => {
    const words = textOf(unavailableAnswer({ upstream: 'The marketplace', reason }));
    expect(words).toContain('until the operator of this bot sets a valid marketplace key');
    expect(words).not.toContain('try again');
  },
);
