import { describe, expect, test } from 'vitest';
import {
  minutesAgo,
  mist,
  someAddress,
  someCollection,
  someEvent,
  someFound,
  storyNow,
} from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import { botCommands, statements } from '../web/bot-guide.ts';
import {
  adminsOnly,
  brokenAnswer,
  groupOnly,
  keptAnswer,
  notConfigured,
  notYourSetup,
  removedAnswer,
  removeQuestion,
  restoredNotice,
  unavailableAnswer,
} from './chat-texts.ts';
import { botCommandList, commandsFor } from './command-list.ts';
import { floorAnswer, summaryAnswer } from './facts-texts.ts';
import { lookupRefusal } from './lookup-refusal.ts';
import type { MessageContent } from './message-content.ts';
import {
  confirmReplace,
  confirmSupply,
  enterSupply,
  lookingUp,
  setupCancelled,
  setupDone,
  setupExpired,
  setupUsage,
  supplyConfirmed,
  supplyRefused,
} from './setup-texts.ts';
import { helpAnswer, startAnswer } from './start-texts.ts';
import { statusAnswer } from './status-text.ts';

const textOf = ({ html }: MessageContent): string => readTelegramHtml(html).text;
const buttonsOf = ({ buttons }: MessageContent): (string | undefined)[] => buttons.flat().map(({ data }) => data);
const summary = {
  mintCount: 1,
  saleCount: 6,
  listingCount: 4,
  bidCount: 0,
  saleVolumeMist: mist(84.2),
  topSale: null,
  completeSince: minutesAgo(24 * 60),
};
const facts = { collection: someCollection(), usdPerSui: '3.5', now: storyNow };
const status = {
  collection: someCollection(),
  canSendMessages: true,
  canSendPhotos: true,
  isTopicPinned: false,
  pendingCount: 0,
  oldestPendingAt: null,
  lastSentAt: minutesAgo(5),
  trouble: null,
  now: storyNow,
};

describe('Specification 2: the commands are those of the public page, and the help says what the page says', () => {
  test.each(botCommands.map((command) => [command.name, command] as const))('%s', (name, { who }) => {
    const command = botCommandList.find((entry) => `/${entry.command}` === name);
    expect(command?.scopes.includes('group')).toBe(who === 'Anyone');
    expect(command?.scopes.includes('group-admins')).toBe(true);
    expect(textOf(helpAnswer('group'))).toContain(name);
  });

  test('the statements on checks, retention, one collection and prices', () => {
    const help = textOf(helpAnswer('private'));
    expect(statements).toHaveLength(4);
    for (const words of [
      '30-45 seconds',
      '30 days',
      'One collection per group',
      'fees included, rounded to 2 decimals',
    ])
      expect(help).toContain(words);
  });

  test('each scope is offered its own commands; the Bot API takes 1 to 32 letters and up to 256 for the description', () => {
    expect(commandsFor('private').map(({ command }) => command)).toEqual(['start', 'help']);
    expect(commandsFor('group').map(({ command }) => command)).toEqual(['start', 'help', 'floor', 'summary', 'status']);
    expect(commandsFor('group-admins')).toHaveLength(9);
    for (const { command, description } of commandsFor('group-admins')) {
      expect(command).toMatch(/^[a-z]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(256);
    }
  });

  test('/start says what to do next, in private and in a group', () => {
    expect(textOf(startAnswer('private'))).toContain('Add me to a group where you are an admin');
    expect(textOf(startAnswer('group'))).toContain('A group admin connects this group');
  });
});

describe('/setup: an address that cannot be followed gets a sentence that says what to send instead', () => {
  test.each([
    ['of another chain', { kind: 'malformed', problem: 'foreign-chain' }, /another chain.*Sui/s],
    ['of a wallet', { kind: 'malformed', problem: 'wallet' }, /a wallet.*send the contract address/s],
    ['of a coin', { kind: 'malformed', problem: 'coin' }, /a coin.*send the contract address/s],
    ['unreadable', { kind: 'malformed', problem: 'unreadable' }, /no Sui contract address.*For example/s],
    ['on chain alone', { kind: 'unknown', existsOnChain: true }, /exists on Sui.*send the address of a collection/s],
    ['nowhere', { kind: 'unknown', existsOnChain: false }, /copied whole.*send \/setup again/s],
    [
      'nobody vouches for',
      { kind: 'unverified', collection: someFound(), verified: [] },
      /not verified.*send the address/s,
    ],
  ] as const)('%s', (_what, lookup, said) => expect(textOf(lookupRefusal(lookup))).toMatch(said));

  test('an unverified namesake is answered with the verified one', () => {
    const real = someFound();
    const fake = someFound({ slug: `${someAddress(0xbad)}::rocks::Nft`, isVerified: false, name: '<b>Sui Rocks</b>' });
    const answer = lookupRefusal({ kind: 'unverified', collection: fake, verified: [real] });
    expect(textOf(answer)).toContain(real.slug);
    expect(textOf(answer)).not.toContain(fake.slug);
    expect(textOf(answer)).toContain('This <b>Sui Rocks');
  });
});

describe('Specification 2, step 3: confirm the maximum supply', () => {
  test('name, picture and supply; use the found one or enter another', () => {
    const question = confirmSupply(someFound());
    expect(textOf(question)).toMatch(/Found: Sui Rocks, verified.*412 minted · Floor 13 SUI.*maximum supply 555\?/s);
    expect(question.imageUrl).toBe('https://images.example/collection.png');
    expect(buttonsOf(question)).toEqual(['1:use-supply:555', '1:enter-supply', '1:cancel-setup']);
  });

  test('what is minted so far is never passed off as the maximum (rulings R3)', () => {
    const question = confirmSupply(someFound({ maxSupply: null }));
    expect(textOf(question)).toContain('So far 412 exist. Is that the maximum supply, or will there be more?');
    expect(question.buttons[0]?.[0]?.text).toBe('Use 412');
  });

  test('without any figure only a number can be entered', () =>
    expect(buttonsOf(confirmSupply(someFound({ maxSupply: null, mintedCount: null })))).toEqual([
      '1:enter-supply',
      '1:cancel-setup',
    ]));

  test('done says where notifications go', () => {
    expect(textOf(setupDone({ name: 'Sui Rocks', maxSupply: 10_000, isTopic: true }))).toMatch(
      /10,000.*to this topic/s,
    );
    expect(textOf(setupDone({ name: 'Sui Rocks', maxSupply: 555, isTopic: false }))).toMatch(/555.*come here/s);
  });
});

describe('/floor and /summary', () => {
  test('the floor, in SUI and in USD', () =>
    expect(textOf(floorAnswer(facts))).toBe('🏷 Sui Rocks: floor 13 SUI ($45.50)\n38 listed'));

  test('an unknown floor is not zero, and an old one says its age', () => {
    const collection = someCollection({ floorMist: null, lastSucceededAt: minutesAgo(180) });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said).toContain('floor not known');
    expect(said).toContain('As of 3 hours ago');
    expect(said).not.toContain('0 SUI');
  });

  test('the summary: 24 hours, in total, mint progress', () => {
    const topSale = someEvent(87);
    const total = { ...summary, saleCount: 60, saleVolumeMist: mist(900) };
    const view = { ...facts, day: { ...summary, topSale }, total, mintedCount: 412, maxSupply: 555 };
    expect(textOf(summaryAnswer({ ...view, explorerUrl: 'https://explorer.example' })).split('\n')).toEqual([
      '📊 Sui Rocks today: floor 13 SUI ($45.50)',
      'Last 24 hours: 6 sales for 84.2 SUI ($294.70)',
      '1 mint · 4 listings · 0 bids',
      'Top sale: Sui Rock #87 for 14.56 SUI · Transaction',
      'Since this group follows it: 60 sales for 900 SUI ($3,150)',
      '38 listed · 200 owners',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
    ]);
  });

  test('the summary of a group that follows it since a moment ago claims no past of its own, nor a whole day', () => {
    const day = { ...summary, completeSince: minutesAgo(30) };
    const total = { ...summary, saleCount: 0, saleVolumeMist: 0n, completeSince: minutesAgo(1) };
    const view = { ...facts, day, total, mintedCount: 412, maxSupply: 555, explorerUrl: 'https://explorer.example' };
    const said = textOf(summaryAnswer(view));
    expect(said).toContain('Since 20 Nov 11:30 UTC: 6 sales');
    expect(said).not.toMatch(/Last 24 hours|Since this group follows it/);
  });
});

describe('Rulings R4: /status tells last check, source lag, permissions, pinned topic, waiting messages', () => {
  test('when all is well', () =>
    expect(textOf(statusAnswer(status)).split('\n')).toEqual([
      '🩺 Tracking Sui Rocks',
      'Last check: 30 seconds ago',
      'Marketplace: last read 30 seconds ago',
      'Permissions: messages and photos allowed',
      'Notifications go to: the group itself',
      'Waiting messages: none',
      'Last notification: 5 minutes ago',
    ]));

  test('when it is not', () => {
    const collection = someCollection({ failingSince: { at: minutesAgo(120), reason: 'timeout' } });
    const said = textOf(
      statusAnswer({
        ...status,
        collection,
        canSendPhotos: false,
        isTopicPinned: true,
        pendingCount: 3,
        oldestPendingAt: minutesAgo(2),
        lastSentAt: null,
        trouble: 'Bad Request: <not enough rights>',
      }),
    );
    expect(said).toContain('does not answer since 2 hours ago');
    expect(said).toContain('I may not send photos here');
    expect(said).toContain('the topic of the last setup');
    expect(said).toContain('Waiting messages: 3, the oldest for 2 minutes');
    expect(said).toContain('Telegram says: Bad Request: <not enough rights>');
    expect(textOf(statusAnswer({ ...status, canSendMessages: false }))).toContain('I may not send messages here');
  });
});

test('Every answer is HTML that Telegram takes, in bounds, whatever the collection is called', () => {
  const name = '</b><a href="https://evil.com">&'.repeat(40);
  const found = someFound({ name, slug: name });
  const answers = [
    startAnswer('group'),
    helpAnswer('private'),
    setupUsage(),
    lookingUp(),
    lookupRefusal({ kind: 'unverified', collection: found, verified: [found, found, found, found] }),
    confirmReplace(name, found),
    confirmSupply(found),
    confirmSupply(found, { collectionName: name, maxSupply: 5 }),
    startAnswer('group', name),
    supplyConfirmed({ name, maxSupply: 1, isTopic: false }),
    notYourSetup(),
    enterSupply(),
    supplyRefused(name.slice(0, 200)),
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
    unavailableAnswer(),
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
