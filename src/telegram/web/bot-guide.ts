import guideCommands from 'virtual:bot-commands';

/** Specification 2: the 4-step setup guide. `command` is separate so that it can be copied. */
export const setupSteps = [
  {
    title: 'Add the bot to a group',
    text: 'Open the bot, choose “Add to group” and pick yours. You must be a group admin. The bot needs no permission beyond sending messages and photos.',
    command: null,
  },
  {
    title: 'Run /setup with the collection',
    text: 'Send /setup followed by the collection contract address. The bot looks the collection up and shows its name, picture and supply.',
    command: '/setup 0x1234…abcd::module::Nft',
  },
  {
    title: 'Confirm the maximum supply',
    text: 'The bot proposes what it found. Accept it or enter the right number: it is the end of the mint progress bar.',
    command: '555',
  },
  {
    title: 'Use /tracking to toggle notifications',
    text: 'Mints, sales, listings and bids are all on at first. Switch each of them off and on with one tap.',
    command: '/tracking',
  },
] as const;

/** Specification 2 and 9: what the page states about the bot. */
export const statements = [
  { figure: '30-45 seconds', text: 'The bot checks activity roughly every 30-45 seconds.' },
  { figure: '30 days', text: 'A removed bot keeps its configuration for 30 days.' },
  { figure: 'One per group', text: 'It tracks one collection per group.' },
  { figure: 'Prices in SUI', text: 'Marketplace fees included, rounded to 2 decimals for prices above 1 SUI.' },
] as const;

/** Specification 2: the bot's commands, and who may use them in a group. */
export const botCommands = guideCommands.flatMap(({ name, who, page }) =>
  page === undefined
    ? []
    : {
        name: `/${name}`,
        usage: page.usage ?? `/${name}`,
        text: page.text,
        who: who === 'anyone' ? 'Anyone' : 'Group admins',
      },
);

export const bestPractices = [
  {
    title: 'Start with sales and mints',
    text: 'Listings are the loudest. In a busy collection switch them on once the group has settled.',
  },
  {
    title: 'Take the address from the marketplace',
    text: 'Copy the contract address from the verified collection page, never from a chat message. Names can be faked, addresses cannot.',
  },
  {
    title: 'Use a topic for the bot',
    text: 'In a group with topics, /setup or /tracking sent inside a topic brings the notifications there. The other topics stay quiet.',
  },
  {
    title: 'Check the maximum supply',
    text: 'If the progress bar ends too early, run /setup again and enter the right number.',
  },
  {
    title: 'Let it write',
    text: 'The bot must be allowed to send messages and photos. If it falls silent, look at its permissions first.',
  },
  {
    title: 'Keep keys out of chats',
    text: 'The bot never asks for a seed phrase, a signature or a payment. Anyone who does is not the bot.',
  },
];

/** Specification 2 and 9: the questions under 'Frequently Asked Questions', with every statement of the page. */
export const botQuestions = [
  {
    question: 'How fast are notifications?',
    answer:
      'The bot checks activity roughly every 30-45 seconds. Add the time the marketplace needs to index a transaction, and most events arrive within a minute or two.',
  },
  {
    question: 'Who can set it up?',
    answer:
      'Group admins, including anonymous ones. For an anonymous admin’s button taps to count, make the bot an admin too, with any rights: Telegram hides anonymous admins from bots that are not admins. Anyone in the group can use the commands that /help does not mark for group admins.',
  },
  {
    question: 'Can one group follow several collections?',
    answer:
      'No: one collection per group. To follow another one, open a second group, or run /setup again to replace the first.',
  },
  {
    question: 'What do the prices mean?',
    answer:
      'Prices are in SUI with marketplace fees included: what the buyer pays. Prices above 1 SUI are rounded to 2 decimals; smaller ones keep more, so that they do not turn into zero.',
  },
  {
    question: 'What are accept-bid and solo-bid?',
    answer:
      'Two kinds of bid event. solo-bid is a bid on one particular NFT. accept-bid means that an owner accepted a bid: the NFT changed hands, so it is shown as a sale.',
  },
  {
    question: 'Which number is the maximum supply?',
    answer:
      'The most NFTs the collection will ever have, 555 for the rocks. What exists today is the minted count; the progress bar shows one as a share of the other.',
  },
  {
    question: 'What happens when the bot is removed from a group?',
    answer:
      'It stops at once and keeps its configuration for 30 days. Add it back within that time and it carries on with the same collection and settings. After 30 days the configuration is deleted.',
  },
  {
    question: 'What does the bot store?',
    answer:
      'The ID and the title of the group, its collection and its notification preferences. It may store the messenger user ID, never the name, of group admins who change something and, for a day at most, of anyone who tries a command. Conversations are never stored. After the bot is removed, the configuration is kept for 30 days. See the Privacy Policy.',
  },
  {
    question: 'Nothing is posted. What now?',
    answer:
      'Check with /tracking that the kind of event is on, and in the group’s permissions that the bot may send messages and photos. Then send /floor. If the bot does not answer that either, tell us in the community.',
  },
];

export const exampleMaxSupply = 555;

/**
 * Specification 2: example notification cards for mint, sale, listing and summary; 9: example max supply 555. The headline is
 * the first line on a phone, as in the bot's own cards; the color is the rock's (specification 3), if it is about one.
 */
export const exampleNotifications = [
  {
    kind: 'Mint',
    headline: 'Sui Rock #412 minted for 10 SUI ($35.00)',
    facts: [['Minter', '0x7a3f…91c2']],
    progress: { minted: 412, maxSupply: exampleMaxSupply },
    color: 'Azure Pulse',
    links: 'Transaction · NFT',
  },
  {
    kind: 'Sale',
    headline: 'Sui Rock #87 sold for 14.56 SUI ($50.96)',
    facts: [
      ['Against floor', '+12%'],
      ['Buyer', '0x52d0…e8b7'],
      ['Seller', '0xc41e…07fa'],
    ],
    progress: null,
    color: 'Powder Blue',
    links: 'Transaction · NFT',
  },
  {
    kind: 'Listing',
    headline: 'Sui Rock #203 listed for 13 SUI ($45.50)',
    facts: [
      ['Against floor', 'at the floor'],
      ['Seller', '0x9be6…4d10'],
    ],
    progress: null,
    color: 'Charcoal Slate',
    links: 'Transaction · NFT',
  },
  {
    kind: 'Summary',
    headline: 'Sui Rocks today: floor 13 SUI ($45.50)',
    facts: [
      ['Last 24 hours', '6 sales for 84.2 SUI ($294.70)'],
      ['Top sale', '14.56 SUI'],
      ['Listed', '38'],
    ],
    progress: { minted: 412, maxSupply: exampleMaxSupply },
    color: null,
    links: 'Transaction',
  },
] as const;
