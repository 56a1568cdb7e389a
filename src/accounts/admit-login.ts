import type { Client } from '../http/route.ts';
import type { Account, AttemptStore, UserStore } from './account-store.ts';
import {
  clientNetwork,
  judgeAddress,
  judgeKnownBrowser,
  judgeStranger,
  loginLimits,
  type LoginVerdict,
  type Wait,
} from './core/login-throttle.ts';
import type { DeviceMark, Tokens } from './tokens.ts';

export interface AdmissionDeps {
  readonly users: UserStore;
  readonly attempts: AttemptStore;
  readonly tokens: Tokens;
  readonly clock: { now(): Date };
}

export type Admission =
  | Wait
  | {
      readonly kind: 'go-on';
      readonly by: 'stranger' | 'known-browser';
      /** The counters of this attempt, which a good login takes back. */
      readonly counters: readonly Uint8Array[];
    };

/**
 * Before the body is read: whether this address has used up its attempts. Only reads, so that a flood from there writes nothing. A
 * browser that has signed in here before is judged later, when it is known for which account it tries.
 */
export async function addressMustWait(
  { attempts, tokens, clock }: AdmissionDeps,
  { address, deviceToken }: Client,
): Promise<Wait | null> {
  if (tokens.readDeviceMark(deviceToken) !== null) return null;
  const at = clock.now();
  const tried = await attempts.read(tokens.attemptKey('address', clientNetwork(address)), at);
  const verdict: LoginVerdict = tried === null ? { kind: 'go-on' } : judgeAddress(tried, at);
  return verdict.kind === 'wait' ? verdict : null;
}

/** Counts and judges one attempt (docs/decisions/0012), before the password is checked, so that many at once count as many. */
export async function admitLogin(deps: AdmissionDeps, key: string, caller: Client): Promise<Admission> {
  const mark = deps.tokens.readDeviceMark(caller.deviceToken);
  // Looked up for a genuine mark only: a flood without one costs no query of the accounts.
  const marked = mark === null ? undefined : await deps.users.find(key);
  return mark !== null && isKnownBrowser(mark, marked)
    ? admitKnownBrowser(deps, mark)
    : admitStranger(deps, key, clientNetwork(caller.address));
}

export const isKnownBrowser = (mark: DeviceMark | null, account: Account | undefined): boolean =>
  mark !== null && account !== undefined && mark.isOf(account);

async function admitKnownBrowser(
  { attempts, tokens, clock }: AdmissionDeps,
  { device }: DeviceMark,
): Promise<Admission> {
  const at = clock.now();
  const counter = tokens.attemptKey('device', device);
  const verdict = judgeKnownBrowser(await attempts.count(counter, loginLimits.windowMs, at), at);
  return verdict.kind === 'wait' ? verdict : { kind: 'go-on', by: 'known-browser', counters: [counter] };
}

/** One counter after the other: an address that has to wait leaves no row for each name that it tries. */
async function admitStranger(deps: AdmissionDeps, key: string, network: string): Promise<Admission> {
  const { attempts, tokens, clock } = deps;
  const at = clock.now();
  const [address, account] = [tokens.attemptKey('address', network), tokens.attemptKey('account', key)];
  const ofAddress = judgeAddress(await attempts.count(address, loginLimits.windowMs, at), at);
  if (ofAddress.kind === 'wait') return ofAddress;
  const accountAtAddress = tokens.attemptKey('account-at-address', network, key);
  const counts = {
    accountAtAddress: await attempts.count(accountAtAddress, loginLimits.windowMs, at),
    account: await attempts.read(account, at),
  };
  const verdict = judgeStranger(counts, at);
  if (verdict.kind === 'wait') return verdict;
  await attempts.count(account, loginLimits.attackWindowMs, at);
  return { kind: 'go-on', by: 'stranger', counters: [address, accountAtAddress, account] };
}
