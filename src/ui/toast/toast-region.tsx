import * as Radix from '@radix-ui/react-toast';
import { useAtTime } from '../age.tsx';

/** Specification 4 and 9: 5000 ms, swipe to the right by 50 px, F8 focuses the region; a dismissed toast is removed long after. */
export const showForMs = 5_000;
export const swipeThresholdPx = 50;
export const hotkey = 'F8';
export const removeAfterMs = 1_000_000;

export interface ToastText {
  readonly title: string;
  readonly description?: string | undefined;
  readonly look?: 'plain' | 'destructive';
}

export interface Toast extends ToastText {
  readonly id: number;
  /** null: visible. A dismissed toast keeps its text until it is removed. */
  readonly dismissedAtMs: number | null;
}

/** A tick in a round stone, an exclamation mark in a triangular one: different even without color. */
const marks = {
  plain: 'M12 1.5a10.5 10.5 0 1 0 .01 0ZM6.5 12.5l4 4 7-8',
  destructive: 'M12 1.5 23 21.5H1ZM12 8.5V14.5M12 17V19',
} as const;

interface ToastRegionProps {
  readonly toast: Toast;
  readonly onDismiss: (id: number) => void;
}

export function ToastRegion({ toast, onDismiss }: ToastRegionProps) {
  const { id, dismissedAtMs, title, description, look = 'plain' } = toast;
  const isOver = useAtTime((nowMs) => dismissedAtMs !== null && nowMs >= dismissedAtMs + removeAfterMs, false);
  if (isOver) return null;
  return (
    // One provider per toast: Radix does not end the pause when a focused toast is closed by key.
    <Radix.Provider
      key={id}
      duration={showForMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
      label="Notification"
    >
      <Radix.Root
        open={dismissedAtMs === null}
        onOpenChange={(next) => !next && onDismiss(id)}
        className={`toast toast-${look}`}
      >
        <svg viewBox="0 0 24 24" className="toast-mark" aria-hidden="true">
          <path d={marks[look]} />
        </svg>
        <div className="min-w-0 flex-1">
          <Radix.Title className="font-semibold">{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="mt-1 text-sm break-words">{description}</Radix.Description>
          )}
        </div>
        <Radix.Close className="-my-2.5 -mr-3.5 size-11 flex-none cursor-pointer p-4" aria-label="Close">
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </Radix.Close>
      </Radix.Root>
      {/* Specification 9: at most 420 px wide from medium screens on. */}
      <Radix.Viewport
        hotkey={[hotkey]}
        className="fixed right-0 bottom-0 z-50 w-full p-4 outline-none md:max-w-[420px]"
        label="Notifications ({hotkey})"
      />
    </Radix.Provider>
  );
}
