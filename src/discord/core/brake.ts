/** How many are about to lose the role in one server, and what that is measured by. */
export interface BrakeCount {
  /** Whose removal is decided or due. */
  readonly leaving: number;
  /**
   * Who has one 'does not hold' and no other word since, also where the second check is put off because the wallets cannot be read:
   * sources that fail and come back would else let a mass removal through in pieces.
   */
  readonly inDoubt: number;
  /** Who lost it within the last hour, without those an admin approved. */
  readonly doneLastHour: number;
  /** Who has the role now; those leaving and in doubt are among them. */
  readonly roleHolders: number;
}

const membersMax = 10;
/** One fifth. */
const shareMax = { of: 5 };

/** Rulings R5: more than 10 members and more than 20 % of those who had the role an hour ago. */
export const isMassRemoval = (leaving: number, roleHolders: number): boolean =>
  leaving > membersMax && leaving * shareMax.of > roleHolders;

/** `brake`: stop and wait for an admin's word. `wait`: it may become a mass removal, so nobody loses anything before that is known. */
export function brakeVerdict({ leaving, inDoubt, doneLastHour, roleHolders }: BrakeCount): 'go' | 'wait' | 'brake' {
  const hadRole = roleHolders + doneLastHour;
  if (isMassRemoval(leaving + doneLastHour, hadRole)) return 'brake';
  return isMassRemoval(leaving + inDoubt + doneLastHour, hadRole) ? 'wait' : 'go';
}
