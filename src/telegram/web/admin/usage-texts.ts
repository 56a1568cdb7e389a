/** Specification 2: the commands in the order of the usage instructions, as an admin needs to know them. */
export const usageCommands: readonly { readonly name: string; readonly text: string }[] = [
  { name: '/start', text: 'Says hello and what to do next' },
  { name: '/setup', text: 'Connects the group to a collection (group admins)' },
  { name: '/floor', text: 'Shows the floor price right now' },
  { name: '/summary', text: 'Shows the state of the collection in one card' },
  { name: '/tracking', text: 'Turns notifications on and off (group admins)' },
  { name: '/remove', text: 'Stops tracking in the group (group admins)' },
  { name: '/help', text: 'Lists every command with an example' },
];

/** Specification 2: a setup process of 7 steps. */
export const setupProcess: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Start the bot', text: 'Press ‘Initialize Bot’ here and wait until the status says Active.' },
  { title: 'Add the bot to a group', text: 'The person who adds it must be an admin of that group.' },
  { title: 'Let it post', text: 'It needs permission to send messages and photos, and no other.' },
  { title: 'Run /setup', text: 'A group admin sends /setup followed by the collection contract address.' },
  {
    title: 'Confirm the collection',
    text: 'The bot shows its name, picture and supply. Take the found maximum supply or enter another.',
  },
  {
    title: 'Choose what gets posted',
    text: '/tracking turns mints, sales, listings and bids on and off. All four are on at first.',
  },
  {
    title: 'Check that it works',
    text: 'The group appears under Configurations. Open its Deliveries and press ‘Send test’.',
  },
];
