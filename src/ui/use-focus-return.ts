import { useMemo, useRef } from 'react';

interface FocusReturn {
  readonly remember: () => void;
  readonly giveBack: (event: Event) => void;
}

/** Dialogs that are opened by state have no trigger of the library's own: whoever had the focus gets it back. */
export function useFocusReturn(): FocusReturn {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      remember: () => {
        before.current = document.activeElement;
      },
      giveBack: (event) => {
        event.preventDefault();
        const target = before.current;
        // What opened the dialog may be gone with the row it stood in.
        const next = target instanceof HTMLElement && target.isConnected ? target : document.querySelector('#main');
        if (next instanceof HTMLElement) next.focus();
      },
    }),
    [],
  );
}
