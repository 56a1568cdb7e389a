import type { ShownTreasury } from './treasury-answer.ts';

type Known = Pick<ShownTreasury, 'treasuryAddress' | 'explorerUrl'> | null;
interface Configured {
  readonly treasuryAddress: string;
  /** Base address of the block explorer. */
  readonly explorerUrl: string;
}

/** The wallet the figures were read from; before there are figures, the configured one. */
export const walletAddress = (snapshot: Known, configured: Configured): string =>
  snapshot?.treasuryAddress ?? configured.treasuryAddress;

export const walletExplorerUrl = (snapshot: Known, configured: Configured): string =>
  snapshot?.explorerUrl ?? `${configured.explorerUrl}/account/${configured.treasuryAddress}`;
