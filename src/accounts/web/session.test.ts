import { expect, test } from 'vitest';
import { readWayBack } from './session.tsx';

test('the way back is the one that /admin gave', () => {
  expect(readWayBack({ sessionEnded: true, backTo: '/admin?tab=activity' })).toEqual({
    sessionEnded: true,
    backTo: '/admin?tab=activity',
  });
});

test.each([null, undefined, 'x', 7, {}, { backTo: 'https://evil.example' }, { backTo: '/admin.evil' }, { backTo: 3 }])(
  'without one, or with a foreign one (%j), it is /admin',
  (state) => {
    expect(readWayBack(state)).toEqual({ sessionEnded: false, backTo: '/admin' });
  },
);
