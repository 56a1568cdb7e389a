import type { ActivityKind } from '../../../market/contract.ts';
import type { ConfigurationRules } from '../../notify/rules/delivery-plan.ts';
import type { QuietHours } from '../../notify/rules/time-zone.ts';

/** What /tracking shows and changes. */
export interface TrackingSettings extends Omit<ConfigurationRules, 'maxSupply' | 'mintedCount'> {
  /** Minutes after midnight in the chat's own time; null: no daily recap. */
  readonly recapMinute: number | null;
}

export type TrackingMenu = 'tracking' | 'minimum-price' | 'quiet-hours' | 'time-zone' | 'daily-recap' | 'closed';

/** Names the wanted state, never 'the other one': pressed twice, or by two admins at once, it means the same. */
export type TrackingAction =
  | { readonly kind: 'track'; readonly event: ActivityKind; readonly isOn: boolean }
  | { readonly kind: 'floor-only'; readonly isOn: boolean }
  | { readonly kind: 'minimum-price'; readonly mist: bigint | null }
  | { readonly kind: 'quiet-hours'; readonly hours: QuietHours | null }
  | { readonly kind: 'time-zone'; readonly zone: string }
  | { readonly kind: 'daily-recap'; readonly minute: number | null }
  | { readonly kind: 'menu'; readonly menu: TrackingMenu };

/** Limit of the columns that store minutes. */
export const minuteOfDayMax = 1439;

const toggleOf = (event: ActivityKind, isOn: boolean): Partial<TrackingSettings> => {
  const changes: Readonly<Record<ActivityKind, Partial<TrackingSettings>>> = {
    mint: { trackMint: isOn },
    sale: { trackSales: isOn },
    listing: { trackListings: isOn },
    bid: { trackBids: isOn },
  };
  return changes[event];
};

/** What the press changes; null: it only opens another menu. */
export const settingsChange = (action: TrackingAction): Partial<TrackingSettings> | null => {
  switch (action.kind) {
    case 'track':
      return toggleOf(action.event, action.isOn);
    case 'floor-only':
      return { listingsAtFloorOnly: action.isOn };
    case 'minimum-price':
      return { minPriceMist: action.mist };
    case 'quiet-hours':
      return { quietHours: action.hours };
    case 'time-zone':
      return { timeZone: action.zone };
    case 'daily-recap':
      return { recapMinute: action.minute };
    default:
      return null;
  }
};

/** The menu shown after a press: the same one, or the one it opens. */
export const menuAfter = (action: TrackingAction): TrackingMenu => {
  if (action.kind === 'menu') return action.menu;
  return action.kind === 'track' || action.kind === 'floor-only' ? 'tracking' : action.kind;
};
