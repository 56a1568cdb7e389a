import { useCallback, useState } from 'react';
import type { TelegramConfiguration } from './telegram-calls.ts';

/** Specification 2: one dialog at a time, for one configuration. */
export interface OpenDialog {
  readonly kind: 'hex-id' | 'reset' | 'delete';
  /** As it was when the dialog opened: what the polling brings meanwhile does not change what is being typed. */
  readonly configuration: TelegramConfiguration;
}

interface Dialogs {
  readonly opened: OpenDialog | null;
  /** Closed because its configuration was no longer there; told until the next one opens. */
  readonly vanished: OpenDialog | null;
}

const isAmong = ({ configuration }: OpenDialog, configurations: readonly TelegramConfiguration[]): boolean =>
  configurations.some(({ id }) => id === configuration.id);

/** The open dialog. It survives every refetch, and closes for good when its configuration has vanished. */
export function useOpenDialog(configurations: readonly TelegramConfiguration[] | undefined) {
  const [{ opened, vanished }, set] = useState<Dialogs>({ opened: null, vanished: null });
  // While rendering, so that a dialog without its configuration is never painted.
  if (opened !== null && configurations !== undefined && !isAmong(opened, configurations)) {
    set({ opened: null, vanished: opened });
  }
  const open = useCallback((dialog: OpenDialog) => set({ opened: dialog, vanished: null }), []);
  const close = useCallback(() => set({ opened: null, vanished: null }), []);
  return { dialog: opened, vanished, open, close };
}
