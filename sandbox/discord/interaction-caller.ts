import type { Sandbox } from '../start-sandbox.ts';
import { discordCaller } from './discord-caller.ts';
import type { Interaction } from './discord-state.ts';

/** Answers interactions as a bot does, without a library; its commands are /why, /setup and /wallets. */
export function interactionCaller(sandbox: Sandbox) {
  const call = discordCaller(sandbox);
  const place = () => ({
    userId: sandbox.discord.seeded.memberIds[0] ?? '',
    channelId: sandbox.discord.seeded.channels.verify,
  });
  return {
    call,
    /** Granite Gwen in #verify. */
    place,
    why: () => sandbox.discord.command({ ...place(), name: 'why' }),
    /** Discord's code, undefined when the callback was accepted. */
    answer: async ({ id, token }: Interaction, body: object): Promise<unknown> =>
      (await call('POST', `/interactions/${id}/${token}/callback`, { body, token: null })).body['code'],
    /** Resets this Discord, without limits. */
    begin: async (): Promise<void> => {
      sandbox.discord.reset();
      sandbox.discord.setLimits({ enforced: false });
      await call('PUT', `/applications/${sandbox.discord.bot.id}/commands`, { body: commands });
    },
  };
}

const commands = [
  { name: 'why', description: 'Explains' },
  {
    name: 'setup',
    description: 'Sets up',
    default_member_permissions: '32',
    contexts: [0],
    options: [
      { type: 8, name: 'role', description: 'The role', required: true },
      { type: 7, name: 'channel', description: 'The channel', channel_types: [0] },
      { type: 4, name: 'days', description: 'Days', min_value: 1, max_value: 7 },
    ],
  },
  { name: 'wallets', description: 'Yours', options: [{ type: 1, name: 'list', description: 'Lists' }] },
];
