import { expect, test } from 'vitest';
import { verificationRefusals } from './verification-texts.ts';

/** After these the same link still works with another message or account. */
const goesOn: ReadonlySet<string> = new Set(['malformed-wallet', 'no-message', 'bad-signature', 'chain-unavailable']);
/** A new link would not help. */
const nothingToVerifyFor = 'server-gone';

test.each(Object.entries(verificationRefusals).filter(([code]) => !goesOn.has(code) && code !== nothingToVerifyFor))(
  'a link that is used up says how to get another one (%s)',
  (_code, { message }) => expect(message).toContain('/verify'),
);
