import { payoutPaid } from './action-verdict.ts';
import { type Audience, timeText } from './explanation.ts';
import type { RoleState } from './decide.ts';
import type { MemberAnswer } from './findings.ts';

const marks = /[\\*_~`|>#[\]()<@-]/g;

/** Escapes foreign text for our messages (rulings R5): no markdown, links or mentions. */
export const forDiscord = (text: string): string =>
  text.replace(marks, (mark) => `\\${mark}`).replaceAll('://', ':\u200B//');

/** Discord's longest message. */
const messageMax = 2_000;

interface Notice {
  /** Cleaned, not escaped. */
  readonly guildName: string;
  readonly roleName: string | null;
  readonly nouns: { readonly one: string; readonly many: string };
  /** null: it ends now. */
  readonly endsAt: Date | null;
}

/** Rulings R5: what happened, until when, what to do. Said before the role ends. */
export function removalNotice({ guildName, roleName, nouns, endsAt }: Notice): string {
  const role = roleName === null ? 'your holder role' : `your role "${forDiscord(roleName)}"`;
  const guild = forDiscord(guildName);
  const end = endsAt === null ? 'ends now' : `ends at ${timeText(endsAt)}`;
  const noun = forDiscord(nouns.many);
  return [
    `In ${guild}, ${role} ${end}: two checks, at least ten minutes apart, found no ${noun} in the wallets you linked.`,
    'The wallets themselves, their kiosks and the marketplace were checked.',
    '',
    `To keep the role or get it back: use /why in the server to see what was found, get ${forDiscord(`a ${nouns.one}`)}, or link another wallet with /verify. The role then comes back by itself.`,
  ]
    .join('\n')
    .slice(0, messageMax);
}

/** What Discord's audit log says next to a change of the role. At most 512 characters. */
export const auditReason = (kind: 'grant-role' | 'remove-role', cause: string): string =>
  kind === 'grant-role' ? `Holds the collection (${cause})` : (removalReasons[cause] ?? `No longer holds (${cause})`);

const removalReasons: Readonly<Record<string, string>> = {
  'data-deleted': 'Asked to have their data deleted',
  approved: 'No longer holds; approved by an admin',
};

interface LeavingMember {
  readonly roleState: RoleState;
  readonly answer: MemberAnswer | null;
}

interface PastAction {
  readonly kind: string;
  readonly cause: string;
  readonly state: string;
  readonly failure: string | null;
}

/**
 * Rulings R5: a direct message comes before the removal. Members it could not reach read it where they ask; an admin could not fix
 * that, so it is no failure. `actions`: newest first.
 */
export function unheardNotice(
  { roleState, answer }: LeavingMember,
  actions: readonly PastAction[],
  audience: Audience,
): readonly string[] {
  const isAboutNow = roleState === 'grace' || (roleState === 'none' && answer === 'does-not-hold');
  const message = actions.find(({ kind, cause }) => kind === 'direct-message' && cause !== payoutPaid);
  if (!isAboutNow || message?.state !== 'dropped') return [];
  if (message.failure === 'direct-message-failed') {
    const whom = audience === 'member' ? 'you' : 'the member';
    return [`The direct message about the end of the role did not reach ${whom}: Discord could not deliver it.`];
  }
  if (message.failure !== 'direct-messages-closed') return [];
  return audience === 'member'
    ? ['The direct message about the end of the role did not reach you: your Discord does not accept it.']
    : ['The direct message about the end of the role did not reach the member, whose Discord does not accept it.'];
}
