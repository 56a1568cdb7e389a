import { canonicalName, canonicalWallet } from '../../../shared/sui-address.ts';

/** What somebody pasted where a Sui address is asked for. */
export type WalletText = { readonly address: string } | { readonly name: string } | { readonly problem: string };

const ethereum = /^0x[0-9a-f]{40}$/i;
/** Solana and Bitcoin: letters and digits without those that look alike. */
const base58 = /^(?=.*[A-Z])[1-9A-HJ-NP-Za-km-z]{26,44}$/;
const bech32 = /^(?:bc1|tb1|ltc1|addr1|cosmos1)[a-z0-9]{20,110}$/i;
const likeName = /@|\.\w+$/;
const hexOnly = /^(?:0x)?[0-9a-f]*$/i;
const walletDigits = 64;

const anExample = 'A Sui address begins with 0x and has 64 digits and letters from a to f.';

/** An address or a name of the chain, both canonical, or one sentence on what is wrong with the text. */
export function readWalletText(text: string): WalletText {
  const trimmed = text.trim();
  const address = canonicalWallet(trimmed);
  if (address !== null) return { address };
  const name = canonicalName(trimmed);
  return name === null ? { problem: problemOf(trimmed) } : { name };
}

function problemOf(text: string): string {
  if (text === '') return 'Paste a Sui address or a name first.';
  if (likeName.test(text)) return 'This is not a Sui name. Those look like example.sui or @example.';
  if (ethereum.test(text)) return 'This is an address of Ethereum or a chain like it. The rocks live on Sui.';
  if (base58.test(text) || bech32.test(text)) return 'This is an address of another chain. The rocks live on Sui.';
  if (!hexOnly.test(text)) return `This is not a Sui address. ${anExample}`;
  const count = text.replace(/^0x/i, '').length;
  const length = count < walletDigits ? 'too short' : 'too long';
  return `This address is ${length}: it has ${count} of ${walletDigits} digits after 0x. Copy it whole.`;
}
