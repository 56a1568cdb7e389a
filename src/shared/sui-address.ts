/**
 * On-chain addresses, names and types in canonical form: lower-case, `0x` and 64 hex digits. Only addresses are
 * case-insensitive; module and struct names are not (Move reference). The SDK's own normalizers neither trim nor validate
 * (`''` becomes the zero address, `0xzz` passes), so text from people and upstreams must pass through here.
 */

const addressPattern = /^(?:0x)?[0-9a-f]{1,64}$/i;
/** Move identifiers, at most 128 characters on Sui. */
const identifierPattern = /^[A-Za-z][A-Za-z0-9_]{0,127}$|^_[A-Za-z0-9_]{1,127}$/;
const primitives = new Set(['bool', 'u8', 'u16', 'u32', 'u64', 'u128', 'u256', 'address', 'signer']);
/** Above the chain's own limits (16 arguments a type, 16 levels, names of 128): this stops malformed text, not spam. */
const maxTypeLength = 100_000;
const maxTypeDepth = 32;
/** Longer types are absurdly nested: they fit no database key and no query, and are never looked up. */
export const usableTypeLengthMax = 1_000;
export const isUsableType = (type: string): boolean => type.length <= usableTypeLengthMax;

/** SUI in canonical form. */
export const suiCoinType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
/** No one has the key of this address. People send things there to get rid of them for good. */
export const burnAddress = `0x${'0'.repeat(64)}`;
/** Staked SUI is an object of this type, and in no balance. */
export const stakedSuiType = `0x${'3'.padStart(64, '0')}::staking_pool::StakedSui`;
export const kioskType = `0x${'2'.padStart(64, '0')}::kiosk::Kiosk`;
export const kioskOwnerCapType = `0x${'2'.padStart(64, '0')}::kiosk::KioskOwnerCap`;

/** The canonical form of an address or object id; null: the text is neither. Short forms are padded. */
export function canonicalAddress(text: string): string | null {
  const trimmed = text.trim();
  if (!addressPattern.test(trimmed)) return null;
  return `0x${trimmed.toLowerCase().replace(/^0x/, '').padStart(64, '0')}`;
}

/** Like `canonicalAddress`, for wallets: all 64 digits must be given, so that a cut-off copy is noticed. */
export function canonicalWallet(text: string): string | null {
  const digits = text.trim().replace(/^0x/i, '');
  return digits.length === 64 ? canonicalAddress(digits) : null;
}

/** The digest of a transaction: base58 of 32 bytes. A byte of zero at the start is one letter. */
export const digestPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Sui pads addresses to 64 digits; exactly 40 mean an Ethereum address. */
const ethereumAddress = /^0x[0-9a-f]{40}$/i;
/** Bitcoin and Solana addresses; at least one capital letter distinguishes them from a word. */
const base58Address = /^(?=.*[A-Z])[1-9A-HJ-NP-Za-km-z]{26,44}$/;
const bech32Address = /^(?:bc1|tb1|ltc1|addr1|cosmos1)[a-z0-9]{20,110}$/i;

/** Whether the text, without blanks around it, looks like an address of another chain. */
export const isAddressElsewhere = (text: string): boolean =>
  ethereumAddress.test(text) || base58Address.test(text) || bech32Address.test(text);

const nameLabel = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const namePattern = new RegExp(`^(?:${nameLabel}\\.){1,4}sui$`);
const nameMax = 235;

/** The on-chain form of a SuiNS name, `sub.example.sui`, from that or `sub@example`; null: the text is not a name. */
export function canonicalName(text: string): string | null {
  const dotted = text
    .trim()
    .toLowerCase()
    .replace(/^([^@]*)@([^@.]+)$/, (_whole, sub: string, name: string) => `${sub === '' ? '' : `${sub}.`}${name}.sui`);
  return dotted.length <= nameMax && namePattern.test(dotted) ? dotted : null;
}

/**
 * The canonical form of a struct type such as `0x2::coin::Coin<0x2::sui::SUI>`; null: the text is not one. A bare address,
 * a primitive and a vector are not struct types.
 */
export function canonicalType(text: string): string | null {
  const compact = text.trim();
  if (compact.length > maxTypeLength) return null;
  return canonicalStruct(compact, 0);
}

/** Like `canonicalType`, for any type of Move: primitives and vectors too. */
export function canonicalMoveType(text: string): string | null {
  const compact = text.trim();
  return compact.length > maxTypeLength ? null : canonicalArgument(compact, 0);
}

/** `0x…::module::Name` without type arguments, shared by all instances of a generic type. */
export function baseType(canonical: string): string {
  const open = canonical.indexOf('<');
  return open === -1 ? canonical : canonical.slice(0, open);
}

/** The address without its leading zeros, as people write it: `0x2::sui::SUI`. */
export function shortType(canonical: string): string {
  return canonical.replaceAll(/0x0*([0-9a-f]+)(?=::)/g, '0x$1');
}

/** `0x1234…abcd`: enough to recognize an address, never enough to pay to. */
export function shortAddress(canonical: string): string {
  return `${canonical.slice(0, 6)}…${canonical.slice(-4)}`;
}

function canonicalStruct(text: string, depth: number): string | null {
  const open = text.indexOf('<');
  const [address, module, name, ...rest] = (open === -1 ? text : text.slice(0, open)).split('::');
  if (address === undefined || module === undefined || name === undefined || rest.length > 0) return null;
  const padded = address.trim() === address ? canonicalAddress(address) : null;
  if (padded === null || !identifierPattern.test(module) || !identifierPattern.test(name)) return null;
  if (open === -1) return `${padded}::${module}::${name}`;
  const typeArguments = canonicalArguments(text.slice(open), depth);
  return typeArguments === null ? null : `${padded}::${module}::${name}<${typeArguments}>`;
}

function canonicalArguments(bracketed: string, depth: number): string | null {
  if (!bracketed.endsWith('>') || depth >= maxTypeDepth) return null;
  const parts = splitArguments(bracketed.slice(1, -1));
  if (parts === null) return null;
  const canonical = parts.map((part) => canonicalArgument(part.trim(), depth + 1));
  return canonical.includes(null) ? null : canonical.join(', ');
}

function canonicalArgument(text: string, depth: number): string | null {
  if (primitives.has(text)) return text;
  if (!text.startsWith('vector<')) return canonicalStruct(text, depth);
  if (!text.endsWith('>') || depth >= maxTypeDepth) return null;
  const element = canonicalArgument(text.slice('vector<'.length, -1).trim(), depth + 1);
  return element === null ? null : `vector<${element}>`;
}

/** Splits at the commas of the outermost level; null: the brackets do not match. */
function splitArguments(text: string): readonly string[] | null {
  const parts: string[] = [];
  let level = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '<') level += 1;
    if (character === '>') level -= 1;
    if (level < 0) return null;
    if (character === ',' && level === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return level === 0 ? [...parts, text.slice(start)] : null;
}
