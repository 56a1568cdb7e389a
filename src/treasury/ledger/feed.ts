import { createLazyAnswer, type LazyAnswer, makeReadyAnswerAsync } from '../../http/ready/ready-answer.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { escapeHtml, foreignText } from '../../shared/foreign-text.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import { type LedgerEntryAnswer, ledgerPageSize, type PayoutFacts, type PayoutNews } from '../ledger-contract.ts';
import { kindNames, objectTexts, roleWords, signedAmountText } from '../web/movement-words.ts';
import type { LedgerAnswers } from './ledger-answers.ts';
import type { LedgerParts, MintMilestone } from './ledger-parts.ts';

interface FeedParts extends Pick<LedgerParts, 'settings' | 'rocks'> {
  readonly answers: LedgerAnswers;
  /** The current facts about payouts. */
  readonly payouts: () => PayoutFacts;
}

interface FeedItem {
  /** The same fact always has the same id, by which feed readers recognize what was read. */
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly link: string;
}

/** GET /feed.atom (RFC 4287): the newest movements, payouts and milestones of the mint, rebuilt on demand after one of them has changed. */
export function createFeed({ settings, answers, rocks, payouts }: FeedParts): LazyAnswer {
  const { hostname: host } = new URL(settings.publicUrl);
  const feed = createLazyAnswer(async () => {
    const [{ entries }, milestones] = await Promise.all([answers.page({ isApart: false }, 1), rocks.mintMilestones()]);
    const items = [
      ...entries.map((entry) => movementItem(entry, host)),
      ...milestones.map((milestone) => milestoneItem(milestone, host, settings.publicUrl)),
      ...payouts()
        .news()
        .map((news) => payoutItem(news, host, settings.publicUrl)),
    ];
    const newest = items.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, ledgerPageSize);
    return makeReadyAnswerAsync(feedXml(newest, settings), {
      contentType: 'application/atom+xml; charset=utf-8',
      cacheControl: 'no-cache',
    });
  });
  rocks.onChange(() => feed.forget());
  return feed;
}

export const feedRoute = (feed: LazyAnswer): Route =>
  defineRoute({
    method: 'GET',
    path: '/feed.atom',
    access: 'public',
    summary: 'The newest 50 movements of the treasury, payouts to holders and milestones of the mint as an Atom feed',
    answer: 'raw',
    ready: () => feed.ready(),
    handle: async () => ({ status: 200, ready: await feed.whenReady() }),
  });

const tagOf = (host: string, what: string): string => `tag:${host},2026:${what}`;

function movementItem(entry: LedgerEntryAnswer, host: string): FeedItem {
  const { digest, at, kind, changes, counterparty, explorerUrl } = entry;
  const parts = [
    ...changes.map(signedAmountText),
    ...objectTexts(entry),
    ...(counterparty === null ? [] : [withWhom(counterparty)]),
  ];
  const title = `${kindNames[kind]}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
  return { id: tagOf(host, `movement:${digest}`), at, title, link: explorerUrl };
}

function withWhom({ address, name, role }: NonNullable<LedgerEntryAnswer['counterparty']>): string {
  const shown = name === null ? shortAddress(address) : foreignText(name, 60);
  return `with ${shown}${role === null ? '' : ` (${roleWords[role]})`}`;
}

const milestoneItem = ({ minted, isSoldOut, at }: MintMilestone, host: string, publicUrl: string): FeedItem => ({
  id: tagOf(host, `minted:${minted}`),
  at: at.toISOString(),
  title: milestoneTitle(minted, isSoldOut),
  link: `${publicUrl}/rocks`,
});

const payoutItem = ({ id, at, title, path }: PayoutNews, host: string, publicUrl: string): FeedItem => ({
  id: tagOf(host, id),
  at,
  title,
  link: `${publicUrl}${path}`,
});

function milestoneTitle(minted: number, isSoldOut: boolean): string {
  if (isSoldOut) return `Sold out: all ${minted} rocks are minted`;
  return minted === 1 ? 'The first rock is minted' : `${minted} rocks are minted`;
}

/** Without characters that XML 1.0 cannot hold, not even as a reference. */
const xmlText = (text: string): string =>
  escapeHtml(text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));

/** `updated` is the newest item's time: without a new item the feed stays the same to the byte. */
function feedXml(items: readonly FeedItem[], { productName, publicUrl }: LedgerParts['settings']): string {
  const name = xmlText(productName);
  const base = xmlText(publicUrl);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<title>${name}: movements of the treasury, payouts, milestones of the mint</title>`,
    `<id>${base}/feed.atom</id>`,
    `<link rel="self" type="application/atom+xml" href="${base}/feed.atom"/>`,
    `<link rel="alternate" type="text/html" href="${base}/rockfolio"/>`,
    `<author><name>${name}</name></author>`,
    `<updated>${items[0]?.at ?? '2026-01-01T00:00:00.000Z'}</updated>`,
    ...items.map(itemXml),
    '</feed>',
    '',
  ].join('\n');
}

const itemXml = ({ id, at, title, link }: FeedItem): string =>
  `<entry><id>${xmlText(id)}</id><title>${xmlText(title)}</title><updated>${at}</updated><published>${at}</published>` +
  `<link rel="alternate" href="${xmlText(link)}"/></entry>`;
