import { z } from 'zod';

import { rowId } from '../../../shared/parsed-text.ts';
import { supplyMax } from '../../cards/mint-progress.ts';
import { timeZoneOf } from '../../time-zone.ts';

const minute = z.int().min(0).max(1439);
/** Nearly the whole supply of SUI; the column holds 20 digits. */
const mist = z.codec(z.string().regex(/^\d{1,19}$/), z.bigint(), { decode: BigInt, encode: String });
/** Which setup's question it answers (`setupKeyOf`). */
const setupKey = z.string().regex(/^[0-9a-f]{8}$/);

/** A setting and its new value, not a toggle: pressed twice, or by two admins at once, it has the same effect. */
const setting = z.union([
  z.tuple([
    z.literal('set'),
    z.enum(['trackMint', 'trackSales', 'trackListings', 'trackBids', 'listingsAtFloorOnly']),
    z.boolean(),
  ]),
  z.tuple([z.literal('set'), z.literal('minPriceMist'), mist.nullable()]),
  z.tuple([
    z.literal('set'),
    z.literal('quietHours'),
    z.strictObject({ fromMinute: minute, toMinute: minute }).nullable(),
  ]),
  z.tuple([z.literal('set'), z.literal('timeZone'), z.string().refine((zone) => timeZoneOf(zone) === zone)]),
  z.tuple([z.literal('set'), z.literal('recapMinute'), minute.nullable()]),
]);

const menus = ['main', 'minPriceMist', 'quietHours', 'timeZone', 'recapMinute', 'closed'] as const;
export type TrackingMenu = (typeof menus)[number];
const menu = z.tuple([z.literal('menu'), z.enum(menus)]);

const button = z.union([
  setting,
  menu,
  z.tuple([z.literal('use-supply'), setupKey, z.int().min(1).max(supplyMax)]),
  z.tuple([z.enum(['enter-supply', 'cancel-setup']), setupKey]),
  // The configuration it was about: the group may have another one by the time the button is pressed.
  z.tuple([z.literal('remove'), rowId, z.boolean()]),
]);

export type TrackingAction = z.output<typeof setting> | z.output<typeof menu>;
/** What any button of the bot requests. */
export type BotAction = z.output<typeof button>;

/** At most 64 bytes of ASCII (Bot API, InlineKeyboardButton.callback_data). */
export const encodeAction = (action: BotAction): string => JSON.stringify(z.encode(button, action));

/** A button's data; null for anything else: anyone can send data, and buttons of earlier versions can be pressed forever. */
export function parseAction(data: string): BotAction | null {
  try {
    return button.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
