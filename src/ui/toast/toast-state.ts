/** Specification 4 and 9: at most one toast is visible; a dismissed one is removed after a very long delay. */
const visibleToastsMax = 1;
export const removeAfterMs = 1_000_000;
export const showForMs = 5_000;
export const swipeThresholdPx = 50;
export const hotkey = 'F8';

export interface ToastText {
  readonly title: string;
  readonly description?: string;
  readonly look?: 'plain' | 'destructive';
}

export interface Toast extends ToastText {
  readonly id: number;
  /** false: dismissed, on its way out; its text stays until it is removed. */
  readonly open: boolean;
}

export interface ToastState {
  readonly nextId: number;
  /** Newest first. */
  readonly toasts: readonly Toast[];
}

export type ToastAction =
  | { readonly kind: 'show'; readonly toast: ToastText }
  | { readonly kind: 'dismiss'; readonly id: number }
  | { readonly kind: 'remove'; readonly id: number };

export const noToasts: ToastState = { nextId: 1, toasts: [] };

export function toastReducer({ nextId, toasts }: ToastState, action: ToastAction): ToastState {
  if (action.kind === 'show') {
    const shown: Toast = { ...action.toast, id: nextId, open: true };
    return { nextId: nextId + 1, toasts: [shown, ...toasts].slice(0, visibleToastsMax) };
  }
  if (action.kind === 'remove') return { nextId, toasts: toasts.filter(({ id }) => id !== action.id) };
  return { nextId, toasts: toasts.map((toast) => (toast.id === action.id ? { ...toast, open: false } : toast)) };
}
