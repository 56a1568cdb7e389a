import type { ActivityKind } from '../../../market/contract.ts';
import { suiText } from '../../cards/price-text.ts';
import type { ConfigurationRules } from '../../notify/rules/delivery-plan.ts';
import { minuteText, zoneText } from '../../notify/rules/time-text.ts';
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

export const kindNames: Readonly<Record<ActivityKind, string>> = {
  mint: 'Mints',
  sale: 'Sales',
  listing: 'Listings',
  bid: 'Bids',
};

const toggleOf = (event: ActivityKind, isOn: boolean): Partial<TrackingSettings> => {
  const changes: Readonly<Record<ActivityKind, Partial<TrackingSettings>>> = {
    mint: { trackMint: isOn },
    sale: { trackSales: isOn },
    listing: { trackListings: isOn },
    bid: { trackBids: isOn },
  };
  return changes[event];
};

interface PressOutcome {
  /** null: it only opens another menu. */
  readonly change: Partial<TrackingSettings> | null;
  /** The menu shown afterwards: the same one, or the one it opens. */
  readonly menu: TrackingMenu;
  /** The short answer that appears over the chat; at most 200 characters. */
  readonly notice: string;
}

/** What a press of a button of /tracking does. */
export const outcomeOf = (action: TrackingAction): PressOutcome => {
  switch (action.kind) {
    case 'track': {
      const notice = `${kindNames[action.event]} ${action.isOn ? 'on' : 'off'}`;
      return { change: toggleOf(action.event, action.isOn), menu: 'tracking', notice };
    }
    case 'floor-only': {
      const notice = action.isOn ? 'Only listings at or under the floor' : 'All listings';
      return { change: { listingsAtFloorOnly: action.isOn }, menu: 'tracking', notice };
    }
    case 'minimum-price': {
      const notice = action.mist === null ? 'No minimum price' : `From ${suiText(action.mist)} on`;
      return { change: { minPriceMist: action.mist }, menu: action.kind, notice };
    }
    case 'quiet-hours': {
      const { hours } = action;
      const notice =
        hours === null
          ? 'No quiet hours'
          : `Quiet from ${minuteText(hours.fromMinute)} to ${minuteText(hours.toMinute)}`;
      return { change: { quietHours: hours }, menu: action.kind, notice };
    }
    case 'time-zone':
      return { change: { timeZone: action.zone }, menu: action.kind, notice: zoneText(action.zone) };
    case 'daily-recap': {
      const notice = action.minute === null ? 'No daily recap' : `Recap at ${minuteText(action.minute)}`;
      return { change: { recapMinute: action.minute }, menu: action.kind, notice };
    }
    default:
      return { change: null, menu: action.menu, notice: '' };
  }
};
