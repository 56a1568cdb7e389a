const minuteMs = 60_000;

/** How many logins may be tried in one window (docs/decisions/0012). A window begins with its first attempt. */
export const loginLimits = {
  windowMs: 15 * minuteMs,
  /** From a browser that has signed in to this account before: only its own attempts count. */
  device: 10,
  /** From one address, for all accounts together. */
  address: 30,
  /** For one account from one address … */
  accountAtAddress: 10,
  /** … and while that account is under attack from many addresses. Never none: its owner may be at a new one. */
  accountAtAddressUnderAttack: 2,
  attackWindowMs: 60 * minuteMs,
  /** Failed attempts for one account in that window, from strangers of all addresses together. */
  attackFrom: 30,
  /** Codes of a second factor in that window, from strangers who have the password: a passkey still opens. */
  codes: 30,
} as const;

/** Attempts in the open window, and when it ends. */
export interface Attempts {
  readonly attempts: number;
  readonly endsAt: Date;
}

/** Of a stranger whose address may still try. This attempt is counted already, except at `account`. */
export interface StrangerCounts {
  readonly accountAtAddress: Attempts;
  /** null: no recent attempt at this account. */
  readonly account: Attempts | null;
}

export interface Wait {
  readonly kind: 'wait';
  /** Which is reached is for the log alone. */
  readonly limit: 'device' | 'address' | 'account-at-address' | 'second-factor';
  readonly retryAfterMs: number;
}

export type LoginVerdict = { readonly kind: 'go-on' } | Wait;

/** Rulings R2: throttled by account and by address, without locking an admin out for good. First the address, for any account. */
export const judgeAddress = (address: Attempts, at: Date): LoginVerdict =>
  within('address', address, loginLimits.address, at);

export function judgeStranger({ accountAtAddress, account }: StrangerCounts, at: Date): LoginVerdict {
  const underAttack = account !== null && account.attempts >= loginLimits.attackFrom;
  const limit = underAttack ? loginLimits.accountAtAddressUnderAttack : loginLimits.accountAtAddress;
  return within('account-at-address', accountAtAddress, limit, at);
}

/** A browser that has signed in to this account before: only its own attempts count. */
export const judgeKnownBrowser = (device: Attempts, at: Date): LoginVerdict =>
  within('device', device, loginLimits.device, at);

function within(
  limit: 'device' | 'address' | 'account-at-address',
  { attempts, endsAt }: Attempts,
  most: number,
  at: Date,
): LoginVerdict {
  if (attempts <= most) return { kind: 'go-on' };
  return { kind: 'wait', limit, retryAfterMs: Math.max(endsAt.getTime() - at.getTime(), 1_000) };
}

/** An IPv6 customer is given a network of this many bits or fewer (RFC 6177): all of it counts as one caller. */
const customerGroups = 3;
const lastGroupBits = 8;

/** What counts as one caller when logins are counted: an IPv4 address, or the /56 of an IPv6 one. */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const groups = expand(address.replace(/%.*$/, ''));
  const last = (Number.parseInt(groups[customerGroups] ?? '0', 16) || 0) >> (16 - lastGroupBits);
  const network = [...groups.slice(0, customerGroups), (last << (16 - lastGroupBits)).toString(16)];
  return `${network.join(':')}::/56`;
}

/** All eight groups, without leading zeros: `::` stands for as many zero groups as are missing. */
function expand(address: string): readonly string[] {
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':').map((group) => trimmed(group)));
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right];
}

const trimmed = (group: string): string => group.replace(/^0+(?=.)/, '');
