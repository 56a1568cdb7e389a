import type { Guild, Pinged } from './discord-state.ts';
import type { AllowedMentions } from './message-form.ts';

type Mentioned = { content: string; allowed: AllowedMentions; guild: Guild | null; mayPingAll: boolean };

const idsIn = (content: string, pattern: RegExp): string[] => [
  ...new Set([...content.matchAll(pattern)].map((match) => match[1] ?? '')),
];

/** Who a text notifies: those it mentions, as far as `allowed_mentions` permits; all of them without that field. */
export function pingedBy({ content, allowed, guild, mayPingAll }: Mentioned): Pinged {
  const parses = (kind: 'users' | 'roles' | 'everyone'): boolean =>
    allowed === undefined || allowed === null || (allowed.parse ?? []).includes(kind);
  const userIds = idsIn(content, /<@!?(\d{1,20})>/g);
  // No role here is 'mentionable by anyone'.
  const roleIds = mayPingAll ? idsIn(content, /<@&(\d{1,20})>/g).filter((id) => guild?.roles.has(id)) : [];
  return {
    everyone: mayPingAll && guild !== null && /@(everyone|here)\b/.test(content) && parses('everyone'),
    roleIds: roleIds.filter((id) => parses('roles') || allowed?.roles?.includes(id)),
    userIds: userIds.filter((id) => parses('users') || allowed?.users?.includes(id)),
  };
}
