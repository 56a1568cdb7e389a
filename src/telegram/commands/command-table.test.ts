import { describe, expect, test } from 'vitest';
import { someCollection, someFound } from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import { goodFacts as facts, goodStatus as status, textOf } from '../../../tests/support/told-facts.ts';
import { botCommands, statements } from '../web/bot-guide.ts';
import { commandNamed, commands, menuOf } from './command-table.ts';
import { floorAnswer } from './floor.ts';
import { helpAnswer } from './help.ts';
import { keptAnswer, removedAnswer, removeQuestion } from './remove.ts';
import { lookupRefusal, setupUsage } from './setup.ts';
import { startAnswer } from './start.ts';
import { statusAnswer } from './status.ts';
import {
  adminsOnly,
  brokenAnswer,
  groupOnly,
  notConfigured,
  notYourSetup,
  restoredNotice,
  unavailableAnswer,
} from './texts/chat-texts.ts';
import {
  confirmSupply,
  enterSupply,
  setupCancelled,
  setupDone,
  setupExpired,
  supplyConfirmed,
} from './texts/setup-texts.ts';

const namesOf = (listed: readonly { readonly name: string }[]) => listed.map(({ name }) => name);
const offered = (scope: Parameters<typeof menuOf>[0]) => menuOf(scope).map(({ command }) => command);

describe('Specification 2: the commands are those of the public page, and the help says what the page says', () => {
  test.each(botCommands.map((command) => [command.name, command] as const))('%s', (name, { who }) => {
    expect(commandNamed(name.slice(1))?.who).toBe(who === 'Anyone' ? 'anyone' : 'group-admins');
    expect(menuOf('group').some(({ command }) => `/${command}` === name)).toBe(who === 'Anyone');
    expect(menuOf('group-admins').some(({ command }) => `/${command}` === name)).toBe(true);
    expect(textOf(helpAnswer('group', commands))).toContain(name);
  });

  test.each(namesOf(commands))('/help names /%s', (name) =>
    expect(textOf(helpAnswer('group', commands))).toMatch(new RegExp(String.raw`^/${name} .*· `, 'm')),
  );

  test('/help includes the statements on checks, retention, one collection and prices', () => {
    const help = textOf(helpAnswer('private', commands));
    expect(statements).toHaveLength(4);
    for (const words of [
      '30-45 seconds',
      '30 days',
      'One collection per group',
      'fees included, rounded to 2 decimals',
    ])
      expect(help).toContain(words);
  });

  test('each scope offers its own commands, with names of 1 to 32 letters and descriptions of up to 256 (Bot API)', () => {
    expect(offered('private')).toEqual(['start', 'help']);
    expect(offered('group')).toEqual(namesOf(commands.filter(({ who }) => who === 'anyone')));
    expect(offered('group-admins')).toEqual(namesOf(commands));
    expect(new Set(namesOf(commands)).size).toBe(commands.length);
    for (const { command, description } of menuOf('group-admins')) {
      expect(command).toMatch(/^[a-z]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(256);
    }
  });

  test('/start says what to do next, in private and in a group', () => {
    expect(textOf(startAnswer('private'))).toContain('Add me to a group where you are an admin');
    expect(textOf(startAnswer('group'))).toContain('A group admin connects this group');
  });
});

test('every answer is HTML that Telegram accepts, within its limits, whatever the collection is called', () => {
  const name = '</b><a href="https://evil.com">&'.repeat(40);
  const found = someFound({ name, slug: name });
  const answers = [
    startAnswer('group'),
    helpAnswer('private', commands),
    setupUsage(),
    lookupRefusal({ kind: 'unverified', collection: found, verified: [found, found, found, found] }),
    confirmSupply(found),
    confirmSupply(found, { collectionName: name, maxSupply: 5, isSame: true }),
    confirmSupply(found, { collectionName: name, maxSupply: 5, isSame: false }),
    startAnswer('group', name),
    supplyConfirmed({ name, maxSupply: 1, isTopic: false }),
    notYourSetup(),
    enterSupply({ mintedCount: 1014 }),
    setupDone({ name, maxSupply: 1, isTopic: false }),
    setupCancelled(),
    setupExpired(),
    groupOnly(name),
    adminsOnly(),
    notConfigured(),
    removeQuestion(name, '1'),
    removedAnswer(name),
    keptAnswer(name),
    restoredNotice(name),
    unavailableAnswer({ upstream: name.slice(0, 60), reason: 'timeout' }),
    brokenAnswer(),
    statusAnswer({ ...status, collection: someCollection({ name }), trouble: name }),
    floorAnswer({ ...facts, collection: someCollection({ name }) }),
  ];
  for (const answer of answers) {
    const { text, links } = readTelegramHtml(answer.html);
    expect(text.length).toBeLessThanOrEqual(answer.imageUrl === null ? 4096 : 1024);
    expect(links).toEqual([]);
  }
});
