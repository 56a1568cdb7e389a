/** How many are about to lose the role in one server, and what that is measured by. */
export interface BrakeCount {
  /** Whose removal is decided or due. */
  readonly leaving: number;
  /** Whose second look is due this moment: they may follow within seconds. */
  readonly settling: number;
  /** Who lost it within the last hour, without those an admin approved. */
  readonly doneLastHour: number;
  /** Who has the role now; those leaving are among them. */
  readonly roleHolders: number;
}

const membersMax = 10;
/** One fifth. */
const shareMax = { of: 5 };

/** Rulings R5: more than 10 members and more than 20 % of those who had the role an hour ago. */
export const isMassRemoval = (leaving: number, roleHolders: number): boolean =>
  leaving > membersMax && leaving * shareMax.of > roleHolders;

/**
 * `brake`: stop and wait for an admin's word. `wait`: it may become a mass removal within seconds, so nobody loses anything
 * before that is known.
 */
export function brakeVerdict({ leaving, settling, doneLastHour, roleHolders }: BrakeCount): 'go' | 'wait' | 'brake' {
  const hadRole = roleHolders + doneLastHour;
  if (isMassRemoval(leaving + doneLastHour, hadRole)) return 'brake';
  return isMassRemoval(leaving + settling + doneLastHour, hadRole) ? 'wait' : 'go';
}
