import type { FoundCollection } from '../../market/contract.ts';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import type { Configuration } from '../configs/configuration-row.ts';
import type { BotDeps } from '../bot/bot-deps.ts';
import { unavailableAnswer } from './texts/chat-texts.ts';
import { lookupRefusal } from './texts/lookup-refusal.ts';
import { confirmReplace, confirmSupply, setupUsage } from './texts/setup-texts.ts';
import type { CommandHandler } from './command.ts';

/** Longer than any address, type or link: not worth a lookup. */
const longestTerm = 1_000;

/** Rulings R4: /setup <address or type or marketplace link>; asks before anything is stored. */
export const setup: CommandHandler = async ({ chatId, topicId, speaker, typed, answer }, deps) => {
  const term = typed.slice(0, longestTerm);
  if (term === '') return answer(setupUsage());
  await showTyping(deps, chatId, topicId);
  const lookup = await deps.tracking.lookUp(term).catch(outageOf);
  if (lookup instanceof Unavailable) return answer(unavailableAnswer(lookup.upstream));
  if (lookup.kind !== 'found') return answer(lookupRefusal(lookup));
  const found = lookup.collection;
  const present = await deps.configurations.ofChat(chatId);
  const collectionId = canonicalType(term) ?? canonicalAddress(term) ?? found.slug;
  const other = present === null || (await follows(deps, present, collectionId, found)) ? null : present;
  const step = other === null ? 'confirm-supply' : 'confirm-replace';
  await deps.setups.begin(chatId, { startedBy: speaker.id, topicId, collectionId, found, step });
  const question = other === null ? confirmSupply(found, present) : confirmReplace(other.collectionName, found);
  return deps.setups.goOn(chatId, step, await answer(question));
};

/** Shows that something is happening, if Telegram cooperates. */
const showTyping = async ({ api }: BotDeps, chatId: number, topicId: number | null): Promise<void> => {
  await api.sendChatAction(chatId, 'typing', topicId === null ? {} : { message_thread_id: topicId }).catch(() => {});
};

/** Whether the group follows this very collection, under whatever name it was requested. */
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

/** An outage is answered; anything else is a bug. */
export const outageOf = (error: unknown): Unavailable => {
  if (error instanceof Unavailable) return error;
  throw error;
};
