import type { NftTypeAnswer } from '../../../market/contract.ts';
import { Invalid } from '../../../shared/failure.ts';

type FoundNft = Extract<NftTypeAnswer, { readonly kind: 'nft' }>;

const example = '0x12345::module::Type';
const refusals = {
  missing: [
    'nft-contract-missing',
    `There is no such type on the Sui network. Check address, module and name, as in ${example}.`,
  ],
  malformed: ['nft-contract-malformed', `The NFT contract is a type of the form ${example}.`],
  coin: ['not-an-nft', `This is a coin, not an NFT. Give the type of the NFTs themselves, as in ${example}.`],
  'no-object': [
    'not-an-nft',
    `Nobody can own an object of this type, so it is not an NFT. Give the type of the NFTs, as in ${example}.`,
  ],
} as const;

/** What an admin named as the NFT contract, where it is one: the same words for a save and for a dry run. Throws Invalid. */
export function nftIn(answer: NftTypeAnswer): FoundNft {
  if (answer.kind === 'nft') return answer;
  const [code, message] = refusals[answer.kind === 'not-an-nft' ? answer.problem : answer.kind];
  throw new Invalid(code, message);
}
