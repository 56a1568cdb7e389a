import { describe, expect, test } from 'vitest';
import { someFound } from '../../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../../tests/support/telegram-html.ts';
import type { MessageContent } from '../../cards/message-html.ts';
import { adminsOnly } from '../../cards/chat-texts.ts';
import { asksForSupply, confirmSupply, enterSupply, setupExpired, setupKeyOf, parseSupply } from './setup-texts.ts';
import { parseAction } from './callback-data.ts';
import { startAnswer } from '../start.ts';

const buttonsOf = ({ buttons }: MessageContent) => buttons.flat().map(({ data }) => parseAction(data ?? ''));
const textOf = ({ html }: MessageContent): string => readTelegramHtml(html).text;

describe('messages about the setup of a group', () => {
  test('/start in a group that is set up names what it follows and leads to /tracking', () => {
    const followed = textOf(startAnswer('group', 'Sui Rocks'));
    expect(followed).toContain('This group follows Sui Rocks. Group admins choose what gets posted with /tracking.');
    expect(followed).not.toContain('/setup');
  });

  test('every question for the supply, the first and each after a refusal, is recognized by its words', () => {
    expect(asksForSupply(textOf(enterSupply({ mintedCount: null })))).toBe(true);
    expect(textOf(enterSupply({ mintedCount: 1014 }))).toContain('such as 1,014.');
    expect(asksForSupply(textOf(enterSupply({ mintedCount: 1014 })))).toBe(true);
    for (const typed of ['', '-5', '1.5', 'many', '0', '9999999999', '555']) {
      const answer = parseSupply(typed, 1014);
      const again = textOf(enterSupply({ mintedCount: 1014 }, answer.kind === 'refused' ? answer.problem : 'taken'));
      expect(again).not.toMatch(/taken|555/);
      expect(asksForSupply(again)).toBe(true);
    }
    expect(asksForSupply(textOf(setupExpired()))).toBe(false);
    // The name of a piece on a card.
    expect(asksForSupply('Reply to this message with the maximum supply #7\nsold for 5 SUI')).toBe(false);
  });

  test('a person who is not a group admin is told which commands are for everyone', () => {
    expect(textOf(adminsOnly(false))).toBe('This is for group admins. Send /help to see what everyone can use.');
  });

  test('a second /setup asks before it replaces', () => {
    const key = setupKeyOf(someFound());
    const question = confirmSupply(someFound(), { collectionName: 'Old Stones', maxSupply: 7, isSame: false });
    expect(textOf(question)).toContain('This group follows Old Stones. Replace it with Sui Rocks?');
    expect(question.buttons.flat().map(({ text }) => text)).toEqual([
      'Replace, use 555',
      'Replace, enter another',
      'Keep the current one',
    ]);
    expect(buttonsOf(question)).toEqual([
      ['use-supply', key, 555],
      ['enter-supply', key],
      ['cancel-setup', key],
    ]);
  });
});
