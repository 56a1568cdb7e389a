import { expect, test } from 'vitest';
import {
  hotkey,
  noToasts,
  removeAfterMs,
  showForMs,
  swipeThresholdPx,
  toastReducer,
  type ToastState,
} from './toast-state.ts';

const shown = (...titles: string[]): ToastState =>
  titles.reduce((state, title) => toastReducer(state, { kind: 'show', toast: { title } }), noToasts);

test('at most one toast is visible: a new one takes the place of the one before', () => {
  expect(shown('Copied!', 'Bot initialized').toasts.map(({ title }) => title)).toEqual(['Bot initialized']);
});

test('a dismissed toast is closed but stays until it is removed', () => {
  const dismissed = toastReducer(shown('Copied!'), { kind: 'dismiss', id: 1 });
  expect(dismissed.toasts).toEqual([{ id: 1, title: 'Copied!', open: false }]);
  expect(toastReducer(dismissed, { kind: 'remove', id: 1 }).toasts).toEqual([]);
});

test('dismissing or removing a toast that is gone changes nothing', () => {
  const state = shown('Copied!');
  expect(toastReducer(state, { kind: 'remove', id: 7 }).toasts).toEqual(state.toasts);
  expect(toastReducer(state, { kind: 'dismiss', id: 7 }).toasts).toEqual(state.toasts);
});

test('two toasts never share an id', () => {
  const first = shown('a');
  const second = toastReducer(toastReducer(first, { kind: 'remove', id: 1 }), { kind: 'show', toast: { title: 'b' } });
  expect(second.toasts[0]?.id).toBe(2);
});

test('specification 4 and 9: 5000 ms, swipe by 50 px, F8, removed after 1000000 ms', () => {
  expect([showForMs, swipeThresholdPx, hotkey, removeAfterMs]).toEqual([5000, 50, 'F8', 1_000_000]);
});
