import { expect, test } from 'vitest';
import { toastAfter, toastDismissed } from './toast-provider.tsx';
import { hotkey, removeAfterMs, showForMs, swipeThresholdPx, type Toast } from './toast-region.tsx';

const shown = (...titles: string[]): Toast | null =>
  titles.reduce<Toast | null>((last, title) => toastAfter(last, { title }), null);

test('at most one toast is visible: a new one replaces the one before, with an id of its own', () => {
  expect(shown('Copied!', 'Bot initialized')).toEqual({ id: 2, title: 'Bot initialized', dismissedAtMs: null });
});

test('a dismissed toast is closed but stays until it is removed', () => {
  expect(toastDismissed(shown('Copied!'), 1, 7)).toEqual({ id: 1, title: 'Copied!', dismissedAtMs: 7 });
});

test('dismissing a toast that is gone changes nothing', () => {
  expect(toastDismissed(shown('Copied!', 'Bot initialized'), 1, 7)).toEqual(shown('Copied!', 'Bot initialized'));
  expect(toastDismissed(null, 1, 7)).toBeNull();
});

test('specification 4 and 9: 5000 ms, swipe by 50 px, F8, removed after 1000000 ms', () => {
  expect([showForMs, swipeThresholdPx, hotkey, removeAfterMs]).toEqual([5000, 50, 'F8', 1_000_000]);
});
