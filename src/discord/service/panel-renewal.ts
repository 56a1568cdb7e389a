import type { GuildConfigStore } from '../adapters/guild-config-store.ts';
import type { PanelMessages } from '../adapters/panel-messages.ts';
import { panelText } from '../core/bot-texts.ts';
import { createKeyedWork, type KeyedWork } from './keyed-work.ts';

interface PanelRenewalDeps {
  readonly configs: Pick<GuildConfigStore, 'panelOf'>;
  readonly messages: PanelMessages;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Between two tries. */
  readonly retryMs: number;
}

const triesMax = 6;

/** Brings a server's verify panel to the name of its collection as it is now. What Discord refuses is left after some tries. */
export function createPanelRenewal({ configs, messages, log, retryMs }: PanelRenewalDeps): KeyedWork {
  const stop = new AbortController();
  const failures = new Map<string, number>();
  const renew = async (guildId: string): Promise<void> => {
    // Another copy may save and edit meanwhile: what is stored at the end is what the panel says.
    let wanted = await configs.panelOf(guildId);
    while (wanted !== null) {
      if ((await messages.edit(wanted.panel, panelText(wanted.nftName), stop.signal)) === 'out-of-reach') {
        log.info({ guildId }, 'The verify panel is gone or out of reach: its name is left as it was');
      }
      const after = await configs.panelOf(guildId);
      const isSame = after?.nftName === wanted.nftName && after.panel.messageId === wanted.panel.messageId;
      wanted = isSame ? null : after;
    }
  };
  const work = createKeyedWork({
    work: async (guildId) => {
      try {
        await renew(guildId);
        failures.delete(guildId);
      } catch (error) {
        if (stop.signal.aborted) return;
        const tries = (failures.get(guildId) ?? 0) + 1;
        if (tries < triesMax) {
          failures.set(guildId, tries);
          throw error;
        }
        failures.delete(guildId);
        log.warn({ err: error, guildId }, 'The verify panel could not be edited and keeps the previous name');
      }
    },
    onFailure: (error, guildId) => log.info({ err: error, guildId }, 'The verify panel waits for another try'),
    retryMs,
  });
  return {
    ask: (guildId) => work.ask(guildId),
    stop: async () => {
      stop.abort();
      await work.stop();
    },
  };
}
