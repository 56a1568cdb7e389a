import type { Bot } from 'grammy';

import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import type { FoundCollection } from '../../market/contract.ts';
import { Unavailable } from '../../shared/failure.ts';
import { unavailableAnswer } from '../core/chat-texts.ts';
import { lookupRefusal } from '../core/lookup-refusal.ts';
import { confirmReplace, confirmSupply, setupUsage } from '../core/setup-texts.ts';
import type { Configuration } from '../adapters/configuration-row.ts';
import { showTyping, topicOf } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { byGroupAdmin, type GroupCommand } from './group-commands.ts';

/** Rulings R4: /setup <address or type or marketplace link>, by a group admin; asks before anything is stored. */
export function addSetupCommand(bot: Bot, deps: BotDeps): void {
  bot.command(
    'setup',
    byGroupAdmin(deps, (command) => beginSetup(deps, command)),
  );
}

/** Longer than any address, type or link: not worth a look-up. */
const longestTerm = 1_000;

async function beginSetup(deps: BotDeps, command: GroupCommand): Promise<void> {
  const { ctx, chatId, speaker, answer } = command;
  const term = ctx.match.trim().slice(0, longestTerm);
  if (term === '') {
    await answer(setupUsage());
    return;
  }
  await showTyping(ctx);
  const lookup = await deps.tracking.lookUp(term).catch(outageOf);
  if (lookup instanceof Unavailable) {
    await answer(unavailableAnswer(lookup.upstream));
    return;
  }
  if (lookup.kind !== 'found') {
    await answer(lookupRefusal(lookup));
    return;
  }
  const found = lookup.collection;
  const present = await deps.configurations.ofChat(chatId);
  const collectionId = canonicalType(term) ?? canonicalAddress(term) ?? found.slug;
  const other = present === null || (await follows(deps, present, collectionId, found)) ? null : present;
  const step = other === null ? 'confirm-supply' : 'confirm-replace';
  await deps.setups.begin(chatId, { startedBy: speaker.id, topicId: topicOf(ctx.msg), collectionId, found, step });
  const question = other === null ? confirmSupply(found, present) : confirmReplace(other.collectionName, found);
  await deps.setups.goOn(chatId, step, await answer(question));
}

/** Whether the group follows this very collection, under whatever name it was asked for. */
async function follows(
  { tracking }: BotDeps,
  present: Configuration,
  collectionId: string,
  found: FoundCollection,
): Promise<boolean> {
  if (present.collectionId === collectionId) return true;
  const id = present.trackedCollectionId;
  return present.hexCollectionId === null && (await tracking.tracked([id])).get(id)?.slug === found.slug;
}

/** An outage is an answer to give; anything else is a fault. */
export const outageOf = (error: unknown): Unavailable => {
  if (error instanceof Unavailable) return error;
  throw error;
};
