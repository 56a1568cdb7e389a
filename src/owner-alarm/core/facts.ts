import type { SourceReading } from '../../shared/source-status.ts';

/** What the alarms are judged by, at one moment. */
export interface Facts {
  readonly now: Date;
  /** When this copy of the product began to look. */
  readonly startedAt: Date;
  /** The figures of /metrics; null: there is nothing to count; absent: it could not be read. */
  readonly figures: Readonly<Record<string, number | null>>;
  readonly sources: readonly SourceReading[];
  /** How old the last good reading of a source may be. */
  readonly sourceLimitMs: number;
  /** The platforms' own words for why a bot does not run. */
  readonly lastErrors: { readonly telegram: string | null; readonly discord: string | null };
}

/** How an alarm looks now. `since` null: nobody noted when it began. */
export type Seen =
  | { readonly kind: 'well' }
  | { readonly kind: 'failing'; readonly since: Date | null }
  /** Nothing can be said: what was told stays. */
  | { readonly kind: 'unknown' };
