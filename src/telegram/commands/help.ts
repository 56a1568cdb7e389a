import { cardOf, headline, type MessageContent } from '../cards/message-html.ts';
import type { Command, CommandCall } from './command.ts';
import type { CommandFacts } from '../contract.ts';
import { safetyLine } from '../cards/chat-texts.ts';

export const helpAbout = (commands: () => readonly CommandFacts[]): Command => ({
  name: 'help',
  who: 'anyone',
  where: 'everywhere',
  menuLine: 'Every command with an example',
  page: { text: 'Lists every command with an example.' },
  handle: ({ place, answer }) => answer(helpAnswer(place, commands())),
});

const commandLine = ({ name, example, menuLine, who }: CommandFacts): string =>
  `${example ?? `/${name}`} · ${menuLine}${who === 'group-admins' ? ' (group admins)' : ''}`;

const inWords = new Intl.ListFormat('en');

function privateLine(commands: readonly CommandFacts[]): string {
  const here = commands.filter(({ where }) => where === 'everywhere').map(({ name }) => `/${name}`);
  return `In private, only ${inWords.format(here)} work; send the others in a group.`;
}

/** Every command with an example, as on the public page (specification 2). */
export const helpAnswer = (place: CommandCall['place'], commands: readonly CommandFacts[]): MessageContent =>
  cardOf([
    headline('📖', '<b>What I understand</b>'),
    ...(place === 'private' ? [privateLine(commands)] : []),
    ...commands.map(commandLine),
    '',
    'One collection per group. I check roughly every 30-45 seconds.',
    'Prices are in SUI with marketplace fees included, rounded to 2 decimals above 1 SUI.',
    'In a group with topics, /setup or /tracking sent in a topic brings the notifications there.',
    'When I am removed, I keep the configuration for 30 days.',
    safetyLine,
  ]);
