import * as Radix from '@radix-ui/react-toast';
import { useEffect } from 'react';
import { hotkey, removeAfterMs, showForMs, swipeThresholdPx, type Toast } from './toast-state.ts';

interface ToastRegionProps {
  readonly toasts: readonly Toast[];
  readonly onDismiss: (id: number) => void;
  readonly onRemove: (id: number) => void;
}

/** Specification 9: 5000 ms, swipe to the right by 50 px, F8 focuses the region. */
export function ToastRegion({ toasts, onDismiss, onRemove }: ToastRegionProps) {
  return (
    // A provider of its own for each toast: Radix forgets to end the pause when a focused toast is closed by key.
    <Radix.Provider
      key={toasts[0]?.id}
      duration={showForMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
      label="Notification"
    >
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} onDismiss={onDismiss} onRemove={onRemove} />
      ))}
      <Radix.Viewport hotkey={[hotkey]} className="toast-viewport" label="Notifications ({hotkey})" />
    </Radix.Provider>
  );
}

/** A tick in a round stone; an exclamation mark in one with corners: different without the colour, too. */
const marks = {
  plain: 'M12 1.5a10.5 10.5 0 1 0 .01 0ZM6.5 12.5l4 4 7-8',
  destructive: 'M12 1.5 23 21.5H1ZM12 8.5V14.5M12 17V19',
} as const;

function OneToast({ toast, onDismiss, onRemove }: Omit<ToastRegionProps, 'toasts'> & { readonly toast: Toast }) {
  const { id, open, title, description, look = 'plain' } = toast;
  useEffect(() => {
    if (open) return undefined;
    const timer = setTimeout(() => onRemove(id), removeAfterMs);
    return () => clearTimeout(timer);
  }, [id, open, onRemove]);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onDismiss(id)} className={`toast toast-${look}`}>
      <svg viewBox="0 0 24 24" className="toast-mark" aria-hidden="true">
        <path d={marks[look]} />
      </svg>
      <div className="min-w-0 flex-1">
        <Radix.Title className="font-semibold">{title}</Radix.Title>
        {description !== undefined && (
          <Radix.Description className="mt-1 text-sm break-words">{description}</Radix.Description>
        )}
      </div>
      <Radix.Close className="toast-close" aria-label="Close">
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </Radix.Close>
    </Radix.Root>
  );
}
