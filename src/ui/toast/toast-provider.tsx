import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import type { ToastRegion } from './toast-region.tsx';
import { noToasts, type Toast, toastReducer, type ToastText } from './toast-state.ts';

type ShowToast = (toast: ToastText) => void;
type Region = typeof ToastRegion;

const loadRegion = () => import('./toast-region.tsx');

const ToastContext = createContext<ShowToast | null>(null);

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [{ toasts }, dispatch] = useReducer(toastReducer, noToasts);
  const show = useCallback<ShowToast>((toast) => dispatch({ kind: 'show', toast }), []);
  const dismiss = useCallback((id: number) => dispatch({ kind: 'dismiss', id }), []);
  const remove = useCallback((id: number) => dispatch({ kind: 'remove', id }), []);
  const toastRegion = useToastRegion(toasts);
  const region = useMemo(
    () =>
      toasts.length === 0 || toastRegion === null
        ? null
        : createElement(toastRegion, { toasts, onDismiss: dismiss, onRemove: remove }),
    [toastRegion, toasts, dismiss, remove],
  );
  return (
    <ToastContext value={show}>
      {children}
      {/* A dialog hides what is around it from screen readers, except what may speak. The toasts themselves announce. */}
      <div aria-live="off">{region}</div>
    </ToastContext>
  );
}

/**
 * Most visits never see a toast: its code comes with the first one. Where it cannot be had (the network is gone) the
 * page stays as it is, and the next toast asks again.
 */
function useToastRegion(toasts: readonly Toast[]): Region | null {
  const [region, setRegion] = useState<Region | null>(null);
  useEffect(() => {
    if (toasts.length === 0 || region !== null) return;
    loadRegion().then(
      (loaded) => setRegion(() => loaded.ToastRegion),
      () => {},
    );
  }, [toasts, region]);
  return region;
}

/** Brings the code of toasts before it is needed: where a toast may have to say that the network is gone. */
export function useToastsAtHand(): void {
  useEffect(() => {
    loadRegion().catch(() => {});
  }, []);
}

/** Shows a toast in place of the one before it. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === null) throw new Error('useToast outside of ToastProvider');
  return show;
}
