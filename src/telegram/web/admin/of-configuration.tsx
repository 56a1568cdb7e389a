import type { TelegramConfiguration } from './telegram-answers.ts';
import { shownChat, shownCollection } from './configuration-names.ts';

/** Which configuration a dialog is about. */
export function OfConfiguration({ configuration }: { readonly configuration: TelegramConfiguration }) {
  return (
    <>
      <bdi className="font-semibold">{shownCollection(configuration)}</bdi> in <bdi>{shownChat(configuration)}</bdi>
    </>
  );
}
