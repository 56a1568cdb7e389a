import ipaddr from 'ipaddr.js';

import type { AuditEntry } from '../audit/contract.ts';
import { transact } from '../db/transaction.ts';
import type { Client } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import { type LoginDeps, subjectOf } from './login-deps.ts';
import type { Trust } from './passwords.ts';

const minuteMs = 60_000;
const attemptWindowMs = 15 * minuteMs;
const attackWindowMs = 60 * minuteMs;

/** Attempts allowed in one window (docs/decisions/0012). A window begins with its first attempt. */
const limits = {
  /** From a browser that has signed in to this account before: only its own attempts count. */
  device: { step: 'login', most: 10, windowMs: attemptWindowMs },
  /** From one address, for all accounts together. */
  address: { step: 'login', most: 30, windowMs: attemptWindowMs },
  /** For one account from one address. */
  'account-at-address': { step: 'login', most: 10, windowMs: attemptWindowMs },
  /** Second-factor codes for one account, counted separately for strangers with the password and for known browsers. Passkeys have no limit. */
  'second-factor': { step: 'login', most: 30, windowMs: attackWindowMs },
  /** Passwords and codes given in one session: a stolen session uses up nothing that a login needs. */
  'session-password': { step: 'confirmation', most: 10, windowMs: attemptWindowMs },
  'session-code': { step: 'confirmation', most: 30, windowMs: attackWindowMs },
} as const;
type Limit = keyof typeof limits;

/** Replaces 'account-at-address' once strangers at all addresses together have failed `attackFrom` times. Not 0: the owner may be at a new one. */
const mostUnderAttack = 2;
const attackFrom = 30;

interface Admission {
  readonly trust: Trust;
  /** The counters of this attempt; a successful login takes the attempt back. */
  readonly counters: readonly Uint8Array[];
}

/**
 * Runs before the body is read: has this address used up its attempts? Only reads, so that a flood from there writes nothing.
 * A browser that has signed in here before is checked later, when the account is known. Throws Refused.
 */
export async function refuseThrottledAddress({ attempts, tokens, clock }: LoginDeps, caller: Client): Promise<null> {
  if (tokens.readDeviceToken(caller.deviceToken) !== null) return null;
  const tried = await attempts.read(tokens.attemptKey('address', clientNetwork(caller.address)), clock.now());
  if (tried !== null && tried.attempts > limits.address.most) throw tooMany('login', tried.endsAt, clock.now());
  return null;
}

/** Counts one attempt before the password is checked, so that parallel attempts all count. Throws Refused over a limit. */
export async function admitLogin(deps: LoginDeps, key: string, caller: Client): Promise<Admission> {
  const { users, attempts, tokens, clock } = deps;
  const known = tokens.readDeviceToken(caller.deviceToken);
  // Looked up only for a genuine device token: a flood without one costs no account queries.
  const account = known === null ? undefined : await users.find(key);
  if (known !== null && account !== undefined && known.hasProved(account, 'password'))
    return { trust: 'known-browser', counters: [await countAttempt(deps, 'device', key, [known.device])] };
  const network = clientNetwork(caller.address);
  // One counter after the other: an address over its limit leaves no row for each name that it tries.
  const address = await countAttempt(deps, 'address', key, [network]);
  const strangers = tokens.attemptKey('account', key);
  const failed = (await attempts.read(strangers, clock.now()))?.attempts ?? 0;
  const most = failed >= attackFrom ? mostUnderAttack : limits['account-at-address'].most;
  const here = await countAttempt(deps, 'account-at-address', key, [network, key], most);
  await attempts.count(strangers, attackWindowMs, clock.now());
  return { trust: 'stranger', counters: [address, here, strangers] };
}

/** Counts one attempt at the account `key` and returns its counter. Throws Refused over the limit; the first refusal of a window is logged. */
export async function countAttempt(
  deps: LoginDeps,
  limit: Limit,
  key: string,
  countedBy: readonly string[],
  most: number = limits[limit].most,
): Promise<Uint8Array> {
  const now = deps.clock.now();
  const { step, windowMs } = limits[limit];
  const counter = deps.tokens.attemptKey(limit, ...countedBy);
  const { attempts, endsAt } = await deps.attempts.count(counter, windowMs, now);
  if (attempts <= most) return counter;
  await auditOncePerWindow(deps, key, `${step}-throttled`, { limit }, windowMs);
  throw tooMany(step, endsAt, now);
}

/** Does not say which limit was reached: that is only in the log. */
function tooMany(step: 'login' | 'confirmation', endsAt: Date, now: Date): Refused {
  const retryAfterMs = Math.max(endsAt.getTime() - now.getTime(), 1_000);
  const minutes = Math.ceil(retryAfterMs / minuteMs);
  const wait = minutes === 1 ? 'one minute' : `${minutes} minutes`;
  const message = `Too many attempts${step === 'login' ? ' to log in' : ''}. Try again in ${wait}.`;
  return new Refused(`too-many-${step}s`, message, { status: 429, retryAfterMs });
}

/** Logs once per window for each account, and once for all unknown names together: a flood must not fill the log. */
export async function auditOncePerWindow(
  deps: LoginDeps,
  key: string,
  action: 'login-throttled' | 'confirmation-throttled' | 'second-factor-refused',
  after: AuditEntry['after'],
  windowMs = attemptWindowMs,
): Promise<void> {
  const { db, users, tokens, attempts, audit, clock } = deps;
  const account = await users.find(key);
  const reported = tokens.attemptKey('reported', action, account?.id ?? 'unknown name');
  if ((await attempts.count(reported, windowMs, clock.now())).attempts > 1) return;
  const entry = {
    actor: { kind: 'system', name: 'login' },
    action,
    // A mistyped name may be a password: neither it nor anything it could be recovered from is kept.
    subject:
      account === undefined
        ? { kind: 'username', id: tokens.pseudonym(key), label: 'unknown name' }
        : subjectOf(account),
    before: null,
    after,
  } as const;
  await transact(db, (trx) => audit.record(entry, trx));
}

/** What counts as one caller: an IPv4 address, or the /56 of an IPv6 address, as a customer's prefix has at most that many bits (RFC 6177). */
export function clientNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const network = [...parts.slice(0, 3), (parts[3] ?? 0) & 0xff00].map((part) => part.toString(16));
  return `${network.join(':')}::/56`;
}
