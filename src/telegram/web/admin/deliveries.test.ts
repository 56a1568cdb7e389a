import { describe, expect, test } from 'vitest';
import type { TelegramConfiguration } from './telegram-calls.ts';
import { kindInWords, reasonInWords, removalInWords, sourceState } from './telegram-words.ts';

const from = (source: TelegramConfiguration['source']) => sourceState({ source });
const [earlier, later] = ['2026-11-20T10:00:00.000Z', '2026-11-20T12:00:00.000Z'];

describe("rulings R6: the platform's own reason", () => {
  test("is shown in the platform's own words", () => {
    const words = 'Bad Request: not enough rights to send text messages to the chat';
    expect(reasonInWords(words)).toBe(words);
  });

  test('is put into words if it is one of our own codes', () => {
    expect(reasonInWords('configuration-replaced')).toBe('The group was set up again before this was sent.');
    expect(reasonInWords('hex-id-changed')).toBe('The hex ID was changed before this was sent.');
  });
});

describe('a chat without the bot', () => {
  test('is described by what Telegram reported', () => {
    const removed = { badge: 'Bot removed', sentence: 'The bot was removed from this chat.' };
    expect(removalInWords('Bad Request: chat not found')).toEqual({
      badge: 'Chat not found',
      sentence: 'Telegram no longer finds this chat.',
    });
    expect(removalInWords('Forbidden: the group chat was deleted').badge).toBe('Chat deleted');
    expect(removalInWords('Forbidden: bot was kicked from the supergroup chat')).toEqual(removed);
    expect(removalInWords(null)).toEqual(removed);
  });
});

describe('rulings R6: the source', () => {
  test('works as of its last check', () => {
    expect(from({ lastCheckedAt: later, lastSucceededAt: later, failure: null })).toEqual({
      works: true,
      text: 'Last read',
      at: later,
    });
  });

  test('fails as of its last good reading', () => {
    expect(from({ lastCheckedAt: later, lastSucceededAt: earlier, failure: 'timeout' })).toEqual({
      works: false,
      text: 'Failing: the marketplace does not answer in time. Last read',
      at: earlier,
    });
  });

  test('has every failure described in words, never by its code', () => {
    for (const failure of ['answer-too-large', 'rate-limited', 'upstream-error', 'network']) {
      expect(from({ lastCheckedAt: later, lastSucceededAt: earlier, failure })?.text).toMatch(
        /^Failing: the marketplace/,
      );
    }
  });

  test('is not failing if it was never read', () => {
    expect(from({ lastCheckedAt: null, lastSucceededAt: null, failure: null })).toMatchObject({
      works: true,
      text: 'Not read yet',
    });
  });
});

test('a message of several events says how many', () => {
  expect(kindInWords({ kind: 'folded', eventCount: 12 })).toBe('Folded card of 12 events');
  expect(kindInWords({ kind: 'card', eventCount: 1 })).toBe('Card');
});
