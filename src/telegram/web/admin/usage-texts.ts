/** Specification 2: the commands in the order of the usage instructions, as an admin needs to know them. */
export const usageCommands: readonly { readonly name: string; readonly text: string }[] = [
  { name: '/start', text: 'Says hello and what to do next' },
  { name: '/setup', text: 'Connects the group to a collection (group admins)' },
  { name: '/floor', text: 'Tells the floor price right now' },
  { name: '/summary', text: 'Tells the state of the collection in one card' },
  { name: '/tracking', text: 'Switches notifications on and off (group admins)' },
  { name: '/remove', text: 'Ends the tracking in the group (group admins)' },
  { name: '/help', text: 'Lists every command with an example' },
];

/** Specification 2: a setup process of 7 steps. */
export const setupProcess: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Start the bot', text: 'Press ‘Initialize Bot’ here and wait until the status says Active.' },
  { title: 'Add the bot to a group', text: 'Whoever adds it must be an admin of that group.' },
  { title: 'Let it write', text: 'It needs the right to send messages and photos, and no other.' },
  { title: 'Run /setup', text: 'A group admin sends /setup followed by the collection contract address.' },
  {
    title: 'Confirm the collection',
    text: 'The bot shows its name, picture and supply. Take the found maximum supply or enter another.',
  },
  {
    title: 'Choose what is told',
    text: '/tracking switches mints, sales, listings and bids. All four are on at first.',
  },
  {
    title: 'See that it arrives',
    text: 'The group appears under Configurations. Open its Deliveries and press ‘Send test’.',
  },
];
