const minuteMs = 60_000;

/** How many logins may be tried in one window (docs/decisions/0012). A window begins with its first attempt. */
export const loginLimits = {
  windowMs: 15 * minuteMs,
  /** From a browser that has signed in to this account before: nobody else's attempts count there. */
  device: 10,
  /** From one address, whatever the accounts. */
  address: 30,
  /** For one account from one address … */
  accountAtAddress: 10,
  /** … and while that account is under attack from many addresses. Never none: its owner may be at a new one. */
  accountAtAddressUnderAttack: 2,
  attackWindowMs: 60 * minuteMs,
  /** Failed attempts for one account in that window, from strangers of all addresses together. */
  attackFrom: 30,
} as const;

/** How often something was tried in the window that is open, and when that ends. */
export interface Attempts {
  readonly attempts: number;
  readonly endsAt: Date;
}

/** This attempt is counted already, except at `account`. */
export type LoginCounts =
  | { readonly from: 'known-device'; readonly device: Attempts }
  | {
      readonly from: 'stranger';
      readonly address: Attempts;
      readonly accountAtAddress: Attempts;
      /** null: nobody has tried this account lately. */
      readonly account: Attempts | null;
    };

export type LoginVerdict =
  | { readonly kind: 'go-on' }
  | {
      readonly kind: 'wait';
      readonly limit: 'device' | 'address' | 'account-at-address';
      readonly retryAfterMs: number;
      /** The first refusal of its window: the one worth telling. */
      readonly isFirst: boolean;
    };

/** Rulings R2: throttled by account and by address, without locking an admin out for good. */
export function judgeLogin(counts: LoginCounts, at: Date): LoginVerdict {
  if (counts.from === 'known-device') return within('device', counts.device, loginLimits.device, at) ?? goOn;
  const underAttack = counts.account !== null && counts.account.attempts >= loginLimits.attackFrom;
  const limit = underAttack ? loginLimits.accountAtAddressUnderAttack : loginLimits.accountAtAddress;
  return (
    within('address', counts.address, loginLimits.address, at) ??
    within('account-at-address', counts.accountAtAddress, limit, at) ??
    goOn
  );
}

const goOn: LoginVerdict = { kind: 'go-on' };

function within(
  limit: 'device' | 'address' | 'account-at-address',
  { attempts, endsAt }: Attempts,
  most: number,
  at: Date,
): LoginVerdict | null {
  if (attempts <= most) return null;
  const retryAfterMs = Math.max(endsAt.getTime() - at.getTime(), 1_000);
  return { kind: 'wait', limit, retryAfterMs, isFirst: attempts === most + 1 };
}
