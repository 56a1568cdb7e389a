import { expect, test } from 'vitest';

import { problemSentence } from '../http/validate-request.ts';
import { authorizeWalletBody } from './requests.ts';

test.each(['', '  \n '])("an authorization without a reason (%j) is refused with 'Give a reason'", (reason) => {
  const issues = authorizeWalletBody.safeParse({ wallet: '0x1', reason }).error?.issues ?? [];
  expect(issues.map(problemSentence)).toEqual(['Give a reason']);
});
