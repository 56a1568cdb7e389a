/**
 * Ends a call early: its reader is gone, or the product stops. Always an AbortSignal, which pure code cannot name (no DOM, no
 * Node); methods may therefore declare the parameter as one.
 */
export interface StopSignal {
  readonly aborted: boolean;
}
