import { describe, expect, test } from 'vitest';
import {
  minutesAgo,
  mist,
  newSettings,
  someAddress,
  someCollection,
  someEvent,
  someFound,
  someNft,
  unreadRocks,
} from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import { goodFacts as facts, goodStatus as status, textOf } from '../../../tests/support/told-facts.ts';
import type { AgedRock } from '../../market/rocks-contract.ts';
import { sampleCard } from '../cards/event-card.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { botCommands, statements } from '../web/bot-guide.ts';
import { commandNamed, commands, menuOf } from './command-table.ts';
import { floorAnswer } from './floor.ts';
import { helpAnswer } from './help.ts';
import { keptAnswer, removedAnswer, removeQuestion } from './remove.ts';
import { rockAnswer } from './rock.ts';
import { lookupRefusal, setupUsage } from './setup.ts';
import { startAnswer } from './start.ts';
import { statusAnswer } from './status.ts';
import { summaryAnswer } from './summary.ts';
import {
  adminsOnly,
  adminUnknown,
  brokenAnswer,
  commandsOnly,
  groupOnly,
  notConfigured,
  restoredNotice,
  topicAwayNotice,
  unavailableAnswer,
  unknownCommand,
} from '../cards/chat-texts.ts';
import {
  confirmSupply,
  enterSupply,
  setupCancelled,
  setupDone,
  setupExpired,
  supplyConfirmed,
} from './texts/setup-texts.ts';
import { settingNames } from '../configs/settings.ts';
import type { TrackingMenu } from './texts/callback-data.ts';
import { trackingMessage } from './tracking.ts';

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
    expect(offered('private')).toEqual(['start', 'help', 'rock']);
    expect(textOf(helpAnswer('private', commands))).toContain('In private, only /start, /help, and /rock work');
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

const name = '</b><a href="https://evil.com">&'.repeat(40);
const found = someFound({ name, slug: name });
const collection = someCollection({ name });
const explorerUrl = 'https://explorer.example';
const context = { collection, floorBeforeMist: null, explorerUrl, usdPerSui: '3.5', rocks: unreadRocks };
const named = someEvent(1, { ...someNft(1, { nftName: name }) });
const activity = {
  mintCount: 1,
  saleCount: 2,
  listingCount: 3,
  bidCount: 4,
  saleVolumeMist: mist(20),
  pricedSaleCount: 2,
  topSale: named,
  completeSince: minutesAgo(2_000),
  completeUntil: minutesAgo(0),
};
const group = { setUpAt: minutesAgo(1_900), timeZone: 'UTC', mintedCount: 1, maxSupply: 5 };
const someRock: AgedRock = {
  asOf: '2026-11-01T12:00:00.000Z',
  state: 'stale',
  number: 1,
  objectId: someAddress(1),
  name,
  color: name,
  imageUrl: null,
  owner: { address: someAddress(2), name },
  place: 'kiosk',
  kioskId: null,
  listing: { priceMist: '1', market: name },
  lastSale: null,
};
const settings = { ...newSettings, quietHours: { fromMinute: 0, toMinute: 60 }, recapMinute: 0 };
const menus: readonly TrackingMenu[] = ['main', ...settingNames, 'closed'];

/** What each command answers about a collection with that name. */
const answersOf: Readonly<Record<string, readonly MessageContent[]>> = {
  start: [startAnswer('private'), startAnswer('group'), startAnswer('group', name)],
  help: [helpAnswer('private', commands), helpAnswer('group', commands)],
  floor: [floorAnswer({ ...facts, collection })],
  summary: [summaryAnswer({ ...facts, ...group, collection, explorerUrl, day: activity, total: activity })],
  rock: [rockAnswer('1', { ...facts, explorerUrl, rocks: { ...unreadRocks, find: () => someRock } })],
  status: [statusAnswer({ ...status, collection, trouble: name })],
  setup: [
    setupUsage(),
    lookupRefusal({ kind: 'unverified', collection: found, verified: [found, found, found, found] }),
    confirmSupply(found),
    confirmSupply(found, { collectionName: name, maxSupply: 5, isSame: true }),
    confirmSupply(found, { collectionName: name, maxSupply: 5, isSame: false }),
    enterSupply({ mintedCount: 1014 }),
    supplyConfirmed({ name, maxSupply: 1, place: 'here' }),
    setupDone({ name, maxSupply: 1, place: 'here' }),
    setupCancelled(),
    setupExpired(),
  ],
  tracking: menus.map((menu) => trackingMessage(menu, { collectionName: name, settings })),
  test: [sampleCard(named, context), sampleCard(null, context)],
  remove: [removeQuestion(name, '1'), removedAnswer(name), keptAnswer(name)],
};
const otherAnswers = [
  groupOnly(name),
  adminsOnly(false),
  adminsOnly(true),
  adminUnknown(),
  notConfigured(),
  restoredNotice(name),
  unavailableAnswer({ upstream: name.slice(0, 60), reason: 'timeout' }),
  brokenAnswer(),
  unknownCommand(),
  commandsOnly(),
  topicAwayNotice('closed'),
  topicAwayNotice('gone'),
];

describe('every answer is HTML that Telegram accepts, within its limits, whatever the collection is called:', () => {
  const isOurs = (link: string): boolean => /^https:\/\/(explorer|rocks)\.example\//.test(link);
  test.each([...namesOf(commands).map((command) => [`/${command}`, command]), ['other answers', '']])(
    '%s',
    (_what, command) => {
      const answers = command === '' ? otherAnswers : (answersOf[command] ?? []);
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) {
        const { text, links } = readTelegramHtml(answer.html);
        expect(text.length).toBeLessThanOrEqual(answer.imageUrl === null ? 4096 : 1024);
        expect(links.filter((link) => !isOurs(link))).toEqual([]);
      }
    },
  );
});
