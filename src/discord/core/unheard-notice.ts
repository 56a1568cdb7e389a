import type { MemberAnswer } from './evaluate.ts';
import type { Audience } from './explanation.ts';
import type { MemberStanding } from './standing.ts';

interface LeavingMember {
  readonly standing: MemberStanding;
  readonly answer: MemberAnswer | null;
}

interface PastAction {
  readonly kind: string;
  readonly state: string;
  readonly failure: string | null;
}

/**
 * Rulings R5: a direct message comes before the removal. Whom none could reach is told where they ask; it is no failure that an
 * admin could mend. `actions`: newest first.
 */
export function unheardNotice(
  { standing, answer }: LeavingMember,
  actions: readonly PastAction[],
  audience: Audience,
): readonly string[] {
  const isAboutNow = standing === 'grace' || (standing === 'none' && answer === 'does-not-hold');
  const message = actions.find(({ kind }) => kind === 'direct-message');
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
