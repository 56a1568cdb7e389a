import { cardOf, collectionHtml, headline } from '../../cards/parts.ts';
import { type Command, commands } from '../command-table.ts';
import type { MessageContent } from '../../cards/message-content.ts';

type Place = 'private' | 'group';

const commandLine = ({ name, example, menuLine, who }: Command): string =>
  `${example ?? `/${name}`} · ${menuLine}${who === 'group-admins' ? ' (group admins)' : ''}`;

const safetyLine = 'The bot never asks for a seed phrase, a signature or a payment.';

const nextStep = (place: Place, followed: string | null): string => {
  if (place === 'private')
    return 'Add me to a group where you are an admin, then send /setup with the collection address there.';
  return followed === null
    ? 'A group admin connects this group: send /setup with the collection address.'
    : `This group follows <b>${collectionHtml(followed)}</b>. Group admins choose what gets posted with /tracking.`;
};

/** /start: a greeting, what the bot does and what to do next. `followed`: the collection of a group that is set up. */
export const startAnswer = (place: Place, followed: string | null = null): MessageContent =>
  cardOf([
    headline('🪨', '<b>Hello, I keep watch over an NFT collection on Sui.</b>'),
    'I post mints, sales, listings and bids in a group, with the price, how it compares with the floor, and mint progress.',
    '',
    nextStep(place, followed),
    'All commands: /help',
    safetyLine,
  ]);

/** /help: every command with an example, as on the public page (specification 2). */
export const helpAnswer = (place: Place): MessageContent =>
  cardOf([
    headline('📖', '<b>What I understand</b>'),
    ...(place === 'private' ? ['In private only /start and /help; the others belong in a group.'] : []),
    ...commands.map(commandLine),
    '',
    'One collection per group. I check roughly every 30-45 seconds.',
    'Prices are in SUI with marketplace fees included, rounded to 2 decimals above 1 SUI.',
    'In a group with topics, /setup or /tracking sent in a topic brings the notifications there.',
    'When I am removed, I keep the configuration for 30 days.',
    safetyLine,
  ]);
