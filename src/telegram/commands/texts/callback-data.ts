import { z } from 'zod';

import { rowId } from '../../../shared/parsed-text.ts';
import { supplyMax } from '../../cards/mint-progress.ts';
import { type Setting, settingNames, type Settings, settings } from '../../configs/settings.ts';

/** Which setup's question it answers (`setupKeyOf`). */
const setupKey = z.string().regex(/^[0-9a-f]{8}$/);

/** A setting and its new value, not a toggle: pressed twice, or by two admins at once, it has the same effect. */
type SetAction = { readonly [S in Setting]: readonly ['set', S, Settings[S]] }[Setting];
// A list that is mapped loses which value goes with which name, so the type says it.
const setAction = z.union(
  settingNames.map((name) => z.tuple([z.literal('set'), z.literal(name), settings[name].value])),
) as z.ZodType as z.ZodType<SetAction>;

export type TrackingMenu = 'main' | 'closed' | Setting;
const menu = z.tuple([z.literal('menu'), z.enum<TrackingMenu[]>(['main', 'closed', ...settingNames])]);

const button = z.union([
  setAction,
  menu,
  z.tuple([z.literal('use-supply'), setupKey, z.int().min(1).max(supplyMax)]),
  z.tuple([z.enum(['enter-supply', 'cancel-setup']), setupKey]),
  // The configuration it was about: the group may have another one by the time the button is pressed.
  z.tuple([z.literal('remove'), rowId, z.boolean()]),
]);

export type TrackingAction = SetAction | z.output<typeof menu>;
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
