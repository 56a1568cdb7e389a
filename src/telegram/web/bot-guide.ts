/** Specification 2: the 4-step setup guide. `command` is set apart so that it can be copied at a glance. */
export interface GuideStep {
  readonly title: string;
  readonly text: string;
  readonly command: string | null;
}

export const setupSteps: readonly GuideStep[] = [
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
];

/** Specification 2 and 9: what the page statements of the bot. */
export const statements = [
  { figure: '30-45 seconds', text: 'The bot checks activity roughly every 30-45 seconds.' },
  { figure: '30 days', text: 'A removed bot keeps its configuration for 30 days.' },
  { figure: 'One per group', text: 'It tracks one collection per group.' },
  {
    figure: 'Prices in SUI',
    text: 'Marketplace fees included, rounded to 2 decimals for prices above 1 SUI.',
  },
] as const;

/** Specification 2: the bot's commands. `who` may use it in a group. */
export interface BotCommand {
  readonly name: '/start' | '/help' | '/setup' | '/floor' | '/summary' | '/tracking' | '/remove';
  readonly usage: string;
  readonly text: string;
  readonly who: 'Anyone' | 'Group admins';
}

export const botCommands: readonly BotCommand[] = [
  { name: '/start', usage: '/start', text: 'Says hello, what the bot does and what to do next.', who: 'Anyone' },
  { name: '/help', usage: '/help', text: 'Lists every command with an example.', who: 'Anyone' },
  {
    name: '/setup',
    usage: '/setup <contract address>',
    text: 'Connects this group to a collection and asks you to confirm its maximum supply. Run it again to change the collection; the bot asks before it replaces anything.',
    who: 'Group admins',
  },
  { name: '/floor', usage: '/floor', text: 'The floor price of the collection right now, in SUI.', who: 'Anyone' },
  {
    name: '/summary',
    usage: '/summary',
    text: 'The state of the collection in one card: minted so far, floor, listings and recent sales.',
    who: 'Anyone',
  },
  {
    name: '/tracking',
    usage: '/tracking',
    text: 'Buttons that switch mint, sale, listing and bid notifications on and off.',
    who: 'Group admins',
  },
  {
    name: '/remove',
    usage: '/remove',
    text: 'Ends the tracking in this group. The bot asks before it does.',
    who: 'Group admins',
  },
];

/** Specification 2: best-practice tips. */
export const bestPractices: readonly { readonly title: string; readonly text: string }[] = [
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
    text: 'In a group with topics, /setup or /tracking sent inside a topic brings the notifications there. Everyone else keeps their quiet.',
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
