import { normalizeStructTag } from '@mysten/sui/utils';
import { array, assert, integer, oneof, property, string, stringMatching, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  baseType,
  canonicalAddress,
  canonicalMoveType,
  canonicalType,
  canonicalWallet,
  isAddressElsewhere,
  shortAddress,
  shortType,
  suiCoinType,
} from './sui-address.ts';

const two = `0x${'2'.padStart(64, '0')}`;
const wallet = `0x${'aB'.repeat(32)}`;

describe('an address has one canonical form', () => {
  test.each([
    ['0x2', two],
    ['2', two],
    [' 0X2 \n', two],
    [wallet, wallet.toLowerCase()],
    [wallet.slice(2), wallet.toLowerCase()],
  ])('%j is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  test.each(['', '0x', '0xzz', '0x 2', `0x${'a'.repeat(65)}`, 'rocks.sui', '0x0x2'])('%j is not an address', (text) => {
    expect(canonicalAddress(text)).toBeNull();
  });

  test('a wallet must be given with all of its 64 digits', () => {
    expect(canonicalWallet(wallet)).toBe(wallet.toLowerCase());
    expect(canonicalWallet('0x2')).toBeNull();
    expect(canonicalWallet(wallet.slice(0, -1))).toBeNull();
  });
});

test.each([
  [`0x${'A1'.repeat(20)}`, true],
  ['J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w', true],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', true],
  [`0x${'a1'.repeat(32)}`, false],
  ['0x6', false],
  ['a-slug-without-capital-letters', false],
])('%s is an address of another chain: %s', (text, expected) => {
  expect(isAddressElsewhere(text)).toBe(expected);
});

describe('a type has one canonical form', () => {
  test.each([
    ['0x2::sui::SUI', suiCoinType],
    [`  ${two}::sui::SUI `, suiCoinType],
    ['0xAB::rock::Nft', `0x${'ab'.padStart(64, '0')}::rock::Nft`],
    ['0x2::coin::Coin<0x2::sui::SUI>', `${two}::coin::Coin<${suiCoinType}>`],
    ['0x2::a::B<u64,vector<0x2::sui::SUI>, bool>', `${two}::a::B<u64, vector<${suiCoinType}>, bool>`],
  ])('%j is %s', (text, canonical) => {
    expect(canonicalType(text)).toBe(canonical);
  });

  test('only the address ignores case: struct names that differ in case are different types', () => {
    expect(canonicalType('0x2::sui::Sui')).not.toBe(canonicalType('0x2::sui::SUI'));
  });

  test.each([
    '',
    '0x2',
    '0x2::sui',
    '0x2::sui::SUI::more',
    '0x2 ::sui::SUI',
    '0x2::su i::SUI',
    '0x2::sui::SUI>',
    '0x2::sui::SUI<',
    '0x2::sui::SUI<>',
    '0x2::sui::SUI<u64>>',
    '0x2::sui::<u64>',
    '0x2::9sui::SUI',
    'vector<u8>',
    'u64',
    '@sui/kiosk::kiosk::Kiosk',
    `0x2::a::${'B'.repeat(3000)}`,
    `${'0x2::a::B<'.repeat(40)}u8${'>'.repeat(40)}`,
  ])('%j is not a struct type: the answer is null, not an error', (text) => {
    expect(canonicalType(text)).toBeNull();
  });

  test('names of dynamic fields may be primitives and vectors', () => {
    expect(canonicalMoveType('u64')).toBe('u64');
    expect(canonicalMoveType('vector<vector<u8>>')).toBe('vector<vector<u8>>');
    expect(canonicalMoveType('0x2::sui::SUI')).toBe(suiCoinType);
    expect(canonicalMoveType('vector<u9>')).toBeNull();
  });

  test('agrees with the SDK on every type that the SDK accepts', () => {
    const address = integer({ min: 1, max: 0xffffff }).map((n) => `0x${n.toString(16)}`);
    const name = stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
    const plain = tuple(address, name, name).map((parts) => parts.join('::'));
    const generic = tuple(plain, array(plain, { minLength: 1, maxLength: 3 })).map(
      ([base, args]) => `${base}<${args.join(',')}>`,
    );
    assert(
      property(oneof(plain, generic), (type) => {
        expect(canonicalType(type)?.replaceAll(' ', '')).toBe(normalizeStructTag(type).replaceAll(' ', ''));
      }),
    );
  });

  test('a canonical type stays as it is, and no text makes the parser throw', () => {
    assert(
      property(string({ maxLength: 60 }), (text) => {
        const once = canonicalType(text);
        if (once !== null) expect(canonicalType(once)).toBe(once);
      }),
    );
  });
});

test('types and addresses have a short form, and generic types a base type', () => {
  expect(shortType(`${two}::coin::Coin<${suiCoinType}>`)).toBe('0x2::coin::Coin<0x2::sui::SUI>');
  expect(baseType(`${two}::coin::Coin<${suiCoinType}>`)).toBe(`${two}::coin::Coin`);
  expect(baseType(suiCoinType)).toBe(suiCoinType);
  expect(shortAddress(wallet.toLowerCase())).toBe('0xabab…abab');
});
