import { describe, expect, it } from 'vitest';
import {
  minutesAgo,
  mist,
  someCollection,
  someEvent,
  storyNow,
  unreadRocks,
} from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import { eventCard } from '../cards/event-card.ts';
import { summaryAnswer } from '../commands/summary.ts';
import {
  bestPractices,
  botCommands,
  botQuestions,
  exampleMaxSupply,
  exampleNotifications,
  setupSteps,
  statements,
} from './bot-guide.ts';

const said = [...statements.map((statement) => statement.text), ...botQuestions.map((entry) => entry.answer)].join(
  '\n',
);

describe('Specification 2: public bot information page', () => {
  it('has a 4-step setup guide: add, /setup, maximum supply, /tracking', () => {
    expect(setupSteps).toHaveLength(4);
    expect(setupSteps[0]?.text).toContain('group admin');
    expect(setupSteps[1]?.command).toMatch(/^\/setup 0x/);
    expect(setupSteps[2]?.title).toContain('maximum supply');
    expect(setupSteps[3]?.command).toBe('/tracking');
  });

  it('lists the commands start, help, setup, floor, summary, tracking and remove', () => {
    expect(botCommands.map((command) => command.name)).toEqual([
      '/start',
      '/help',
      '/setup',
      '/floor',
      '/summary',
      '/tracking',
      '/remove',
    ]);
  });

  it('has best-practice tips', () => {
    expect(bestPractices.length).toBeGreaterThan(3);
  });

  it('shows example cards for mint, sale, listing and summary, out of 555', () => {
    expect(exampleNotifications.map((example) => example.kind)).toEqual(['Mint', 'Sale', 'Listing', 'Summary']);
    expect(exampleMaxSupply).toBe(555);
  });

  it('shows example cards that begin like the bot’s own', () => {
    const context = {
      collection: someCollection(),
      floorBeforeMist: mist(13),
      explorerUrl: 'https://explorer.example',
      usdPerSui: '3.5',
      rocks: unreadRocks,
    };
    const count = { mintedCount: 412, maxSupply: exampleMaxSupply };
    const summary = {
      mintCount: 0,
      saleCount: 6,
      listingCount: 0,
      bidCount: 0,
      saleVolumeMist: mist(84.2),
      pricedSaleCount: 6,
      topSale: null,
      completeSince: minutesAgo(1440),
      completeUntil: minutesAgo(0),
    };
    const cards = [
      eventCard(someEvent(412, { kind: 'mint', priceMist: mist(10) }), context, count),
      eventCard(someEvent(87), context, count),
      eventCard(someEvent(203, { kind: 'listing', priceMist: mist(13) }), context, count),
      summaryAnswer({
        ...context,
        ...count,
        day: summary,
        total: summary,
        pollMaxMs: 45_000,
        now: storyNow,
        setUpAt: minutesAgo(10_000),
        timeZone: 'UTC',
      }),
    ];
    const firstLines = cards.map(({ html }) =>
      readTelegramHtml(html)
        .text.split('\n')[0]
        ?.replace(/^\P{L}+/u, ''),
    );
    expect(firstLines).toEqual(exampleNotifications.map(({ headline }) => headline));
  });

  it('shows example prices in SUI with at most 2 decimals', () => {
    for (const { headline } of exampleNotifications) expect(headline).toMatch(/\b\d+(\.\d{1,2})? SUI \(\$\d+\.\d\d\)$/);
  });
});

describe('Specification 9: public page statements', () => {
  it.each([
    ['interval', /roughly every 30-45 seconds/],
    ['retention', /configuration for 30 days/],
    ['one collection', /one collection per group/],
    ['fees', /marketplace fees included/i],
    ['rounding', /rounded to 2 decimals/],
    ['bid types', /accept-bid[\s\S]+solo-bid|solo-bid[\s\S]+accept-bid/],
    ['example supply', /555/],
    ['what is stored', /ID and the title of the group.*messenger user ID, never the name.*tries a command/],
  ])('%s', (_name, statement) => expect(said).toMatch(statement));
});
