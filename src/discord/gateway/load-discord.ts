import type { DiscordServiceDeps } from './discord-service.ts';

export type DiscordCalls = NonNullable<Awaited<ReturnType<typeof loadDiscord>>>;

/**
 * Everything that speaks with Discord; null: there is no token. discord.js takes 50 MB and a third of a second, so it is only loaded
 * with one.
 */
export async function loadDiscord({ botToken, apiUrl }: { readonly botToken: string | null; readonly apiUrl: string }) {
  if (botToken === null) return null;
  const [service, platform, voice, memberList, panels] = await Promise.all([
    import('./discord-service.ts'),
    import('./role-platform.ts'),
    import('./channel-voice.ts'),
    import('../servers/guild-member-list.ts'),
    import('../servers/panel-messages.ts'),
  ]);
  const connection = { token: botToken, apiUrl };
  return {
    platform: platform.createRolePlatform(connection),
    voice: voice.createChannelVoice(connection),
    readMembers: memberList.createGuildMemberList(connection),
    panelMessages: panels.createPanelMessages(connection),
    createService: (deps: Omit<DiscordServiceDeps, 'settings'>) =>
      service.createDiscordService({ ...deps, settings: { botToken, apiUrl } }),
  };
}
