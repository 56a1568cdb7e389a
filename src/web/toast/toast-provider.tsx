import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useMemo, useReducer } from 'react';
import { noToasts, toastReducer, type ToastText } from './toast-state.ts';

type ShowToast = (toast: ToastText) => void;

const ToastContext = createContext<ShowToast | null>(null);

/** Most visits never see a toast: its code comes with the first one. */
const ToastRegion = lazy(async () => ({ default: (await import('./toast-region.tsx')).ToastRegion }));

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [{ toasts }, dispatch] = useReducer(toastReducer, noToasts);
  const show = useCallback<ShowToast>((toast) => dispatch({ kind: 'show', toast }), []);
  const dismiss = useCallback((id: number) => dispatch({ kind: 'dismiss', id }), []);
  const remove = useCallback((id: number) => dispatch({ kind: 'remove', id }), []);
  const region = useMemo(
    () => (toasts.length === 0 ? null : <ToastRegion toasts={toasts} onDismiss={dismiss} onRemove={remove} />),
    [toasts, dismiss, remove],
  );
  return (
    <ToastContext value={show}>
      {children}
      <Suspense fallback={null}>{region}</Suspense>
    </ToastContext>
  );
}

/** Shows a toast in place of the one before it. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === null) throw new Error('useToast outside of ToastProvider');
  return show;
}
