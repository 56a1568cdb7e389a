import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { AuditTrail } from '../ports.ts';

type Entry = Parameters<AuditTrail['record']>[0];

interface MembersEntry {
  readonly action: string;
  /** The part of the engine that decided. */
  readonly by: string;
  /** All of one server. */
  readonly members: readonly AuditedMember[];
  readonly before?: Entry['before'];
  readonly after: NonNullable<Entry['after']>;
}

export interface AuditedMember {
  readonly guildId: string;
  readonly userId: string;
  readonly displayName: string;
  readonly guild: { readonly name: string };
}

/** One entry per member; above this many, one entry about their server. */
const singlyMax = 20;
const namedMax = 100;

/** Logs a decision of the role engine, in the transaction of the decision. */
export async function auditMembers(audit: AuditTrail, opened: OpenTransaction, entry: MembersEntry): Promise<void> {
  const { action, by, members, before = null, after } = entry;
  const [first] = members;
  if (first === undefined) return;
  const actor = { kind: 'system', name: by } as const;
  if (members.length > singlyMax) {
    const subject = { kind: 'discord-guild', id: first.guildId, label: first.guild.name };
    const named = members.slice(0, namedMax).map(({ displayName, userId }) => `${displayName} (${userId})`);
    const summary = { ...after, memberCount: members.length, members: named };
    await audit.record({ actor, action, subject, before, after: summary }, opened);
    return;
  }
  for (const member of members)
    await audit.record({ actor, action, subject: memberSubject(member), before, after }, opened);
}

export const memberSubject = ({ guildId, userId, displayName, guild }: AuditedMember): Entry['subject'] => ({
  kind: 'discord-member',
  id: `${guildId}/${userId}`,
  label: `${displayName} in ${guild.name}`,
});
