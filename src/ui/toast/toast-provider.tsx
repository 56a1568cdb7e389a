import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

import type { Toast, ToastRegion, ToastText } from './toast-region.tsx';

/** Specification 4 and 9: at most one toast is visible, so a new one replaces the one before. */
export const toastAfter = (last: Toast | null, text: ToastText): Toast => ({
  ...text,
  id: (last?.id ?? 0) + 1,
  dismissedAtMs: null,
});

/** Only the toast with this id: another may have replaced it. */
export const toastDismissed = (last: Toast | null, id: number, nowMs: number): Toast | null =>
  last?.id === id ? { ...last, dismissedAtMs: nowMs } : last;

type ShowToast = (toast: ToastText) => void;

const loadRegion = () => import('./toast-region.tsx');

const ToastContext = createContext<ShowToast | null>(null);

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const [Region, setRegion] = useState<typeof ToastRegion | null>(null);
  const show = useCallback<ShowToast>((text) => setToast((last) => toastAfter(last, text)), []);
  const dismiss = useCallback((id: number) => setToast((last) => toastDismissed(last, id, Date.now())), []);
  // Most visits never see a toast, so its code loads with the first one. If that fails (the network is gone), the page
  // stays as it is, and the next toast tries again.
  useEffect(() => {
    if (toast === null || Region !== null) return;
    loadRegion().then(
      (loaded) => setRegion(() => loaded.ToastRegion),
      () => {},
    );
  }, [toast, Region]);
  return (
    <ToastContext value={show}>
      {children}
      {/* A dialog hides everything but live regions from screen readers, hence this one. The toasts announce themselves. */}
      <div aria-live="off">{toast !== null && Region !== null && <Region toast={toast} onDismiss={dismiss} />}</div>
    </ToastContext>
  );
}

/** Loads the code of toasts early, where a toast may have to say that the network is gone. */
export function usePreloadedToasts(): void {
  useEffect(() => {
    loadRegion().catch(() => {});
  }, []);
}

export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === null) throw new Error('useToast outside of ToastProvider');
  return show;
}

/** Copies a text and says so, or says what to do where the browser does not allow it. */
export function useCopy(text: string, copied: string, refused: string, onRefused?: () => void) {
  const showToast = useToast();
  usePreloadedToasts();
  return async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: 'Copied!', description: copied });
    } catch {
      // Browsers allow this only over a secure connection and with permission.
      onRefused?.();
      showToast({ look: 'destructive', title: 'Not copied', description: refused });
    }
  };
}
