import type { ReactNode } from 'react';

/** Above a list: what was asked for, or was open, is not in it. */
export const GoneNote = ({ children }: { readonly children: ReactNode }) => (
  <output className="mb-4 block border-l-4 border-stale py-1 pl-4 wrap-anywhere">{children}</output>
);
