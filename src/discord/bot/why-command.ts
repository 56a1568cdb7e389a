import { answeredWithin } from '../../db/outage.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { whyText } from '../core/bot-texts.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { sayNothingLinked } from './wallets-command.ts';

/** Whoever asks again so soon is told the same: each look reads the chain. */
const freshMs = 30_000;
/** A database that keeps silent must keep nobody waiting. */
const databaseWithinMs = 3_000;

/** /why: looks now, and says what was found and what follows. */
export async function why({ guildId, user, createdTimestamp }: Asked, { roles, guilds }: BotDeps): Promise<Answer> {
  const known = await answeredWithin(roles.explain(guildId, user.id), databaseWithinMs);
  if (known === null) return sayNothingLinked(guildId, guilds);
  const explanation = isFresh(known, createdTimestamp) ? known : await roles.checkNow(guildId, user.id, 'asked');
  return { content: whyText(explanation) };
}

const isFresh = ({ answer, answeredAt, wallets }: MemberExplanation, nowMs: number): boolean =>
  answer !== null &&
  answer !== 'unknown' &&
  // A wallet may have been linked since.
  wallets.every((wallet) => wallet.answer !== null) &&
  answeredAt !== null &&
  nowMs - Date.parse(answeredAt) < freshMs;
