import { shortAddress } from '../../../shared/sui-address.ts';
import type { PaidPayout } from '../../../payouts/announcements-contract.ts';
import { linesWithin } from '../../commands/rules/bot-texts.ts';
import { forDiscord } from './role-texts.ts';

interface Told {
  readonly payout: Pick<PaidPayout, 'title' | 'url'>;
  readonly paid: PaidPayout['paid'];
  /** Of their other wallets, those that this payout has not paid yet. */
  readonly openCount: number;
  readonly guildName: string;
}

/** The direct message to a member who asked for it: what came to which wallet. Title and symbol may be text of strangers. */
export const paidText = ({ payout, paid, openCount, guildName }: Told): string =>
  linesWithin(
    [
      `**You were paid: ${forDiscord(payout.title)}**`,
      ...paid.map(({ address, amount, rocks, at, transactionUrl }) => {
        const when = `<t:${Math.floor(at.getTime() / 1_000)}:f>`;
        const what = `${forDiscord(amount)} for ${rocks} ${rocks === 1 ? 'rock' : 'rocks'}`;
        return `\`${shortAddress(address)}\`: ${what}, ${when} ([transaction](${transactionUrl}))`;
      }),
      ...(openCount === 0
        ? []
        : [
            `Of your other wallets ${openCount} ${openCount === 1 ? 'is' : 'are'} not paid yet: see the payout’s page.`,
          ]),
    ],
    [
      `[The whole payout](${payout.url})`,
      `You asked for this message in ${forDiscord(guildName)}. /wallets there switches it off.`,
    ],
  );
