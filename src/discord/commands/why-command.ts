import { answeredWithin } from '../../db/outage.ts';
import type { MemberExplanation } from '../members-contract.ts';
import type { Command } from './command.ts';
import { whyText } from './rules/bot-texts.ts';
import { sayNothingLinked } from './wallets-command.ts';

/** Repeated questions get the same answer for this long: each check reads the chain. */
const freshMs = 30_000;
/** An unresponsive database must not keep anyone waiting. */
const databaseWithinMs = 3_000;

/** Checks now, and says what was found and what follows. */
export const whyCommand: Command = {
  name: 'why',
  description: 'Why you have the holder role, or do not: every wallet and the last check',
  answer: async ({ guildId, user, createdTimestamp }, { roles, guilds }) => {
    const known = await answeredWithin(roles.explain(guildId, user.id), databaseWithinMs);
    if (known === null) return sayNothingLinked(guildId, guilds);
    const explanation = isFresh(known, createdTimestamp) ? known : await roles.checkNow(guildId, user.id, 'asked');
    return { content: whyText(explanation) };
  },
};

const isFresh = ({ answer, answeredAt, wallets }: MemberExplanation, nowMs: number): boolean =>
  answer !== null &&
  answer !== 'unknown' &&
  // A wallet may have been linked since.
  wallets.every((wallet) => wallet.answer !== null) &&
  answeredAt !== null &&
  nowMs - Date.parse(answeredAt) < freshMs;
