import type { ReactNode } from 'react';

export interface EmptyStateProps {
  /** The sentence that the specification or the situation gives. */
  readonly children: ReactNode;
  /** What to do next. */
  readonly action?: ReactNode;
  readonly tone?: 'quiet' | 'danger';
}

/** In place of content that is not there: none yet, not configured, or failed to load. */
export function EmptyState({ children, action, tone = 'quiet' }: EmptyStateProps) {
  return (
    <div className={`empty-state empty-${tone}`} {...(tone === 'danger' ? { role: 'alert' } : {})}>
      <svg viewBox="0 0 64 32" aria-hidden="true">
        <path d="M4 30 10 16 22 9 33 14 38 30Z" />
        <path d="M40 30 44 20 52 17 60 24 61 30Z" strokeDasharray="3 3" />
        <path d="M0 30H64" />
      </svg>
      <div className="max-w-prose wrap-anywhere">{children}</div>
      {action}
    </div>
  );
}
