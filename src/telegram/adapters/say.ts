import { Unavailable } from '../../shared/failure.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import type { Transport } from '../delivery/outbox.ts';
import type { SendGate } from './send-gate.ts';

/** `not-now`: it did not arrive for certain; `refused`: nor will it, until a person changes something. */
type Said = { readonly kind: 'said' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string };

/** Plain words to one chat. Throws Unavailable when nobody knows whether they arrived. */
export type Say = (chatId: string, text: string) => Promise<Said>;

const answerWithinMs = 25_000;

/** Within Telegram's limits, which it shares with the deliveries and the replies. */
export const createSay =
  (gate: SendGate, transport: Transport): Say =>
  async (chatId, text) => {
    const passage = await gate.pass(chatId, 'change').catch((error: unknown) => {
      if (error instanceof Unavailable) return error;
      throw error;
    });
    if (passage instanceof Unavailable) return { kind: 'not-now', reason: passage.message };
    const content = { html: escapeHtml(text), imageUrl: null, buttons: [], isSilent: false };
    const message = { chatId, topicId: null, form: 'plain', content, editsMessageId: null } as const;
    const answer = await transport.send(message, null, AbortSignal.timeout(answerWithinMs));
    const isDoubtful = answer.kind === 'unanswered' && answer.isDoubtful;
    await (answer.kind === 'sent' || isDoubtful ? passage.arrived() : passage.refused());
    if (answer.kind === 'sent') return { kind: 'said' };
    if (answer.kind === 'unanswered') {
      if (answer.isDoubtful) throw new Unavailable('unanswered', answer.reason);
      return { kind: 'not-now', reason: answer.reason };
    }
    if (answer.retryAfterMs !== null) await gate.limited(chatId, answer.retryAfterMs);
    const isPassing = answer.retryAfterMs !== null || answer.code === 429 || answer.code >= 500;
    return { kind: isPassing ? 'not-now' : 'refused', reason: answer.description };
  };
