import { z } from 'zod';

import type { JobDefinition, JobName } from '../../jobs/define-job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { GuildConfigStore } from './guild-config-store.ts';
import type { PanelMessages } from './panel-messages.ts';
import { panelText } from '../commands/rules/bot-texts.ts';

const payload = z.object({ guildId: z.string(), failures: z.int().min(0) });

/** Updates a server's verify panel to the current name of its collection. */
export const panelRenewal: JobName<z.infer<typeof payload>> = {
  name: 'discord-panel-renewal',
  payload,
  key: ({ guildId }) => guildId,
};

interface PanelRenewalDeps {
  readonly configs: Pick<GuildConfigStore, 'panelOf'>;
  readonly messages: PanelMessages;
  readonly jobs: Pick<Jobs, 'send'>;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Between two tries. */
  readonly retryMs: number;
}

const triesMax = 6;

/** What Discord refuses is given up after some tries: the panel works under the previous name. */
export const panelRenewalJob = (deps: PanelRenewalDeps): JobDefinition<z.infer<typeof payload>> => ({
  ...panelRenewal,
  failing: 'A verify panel could not be renewed',
  run: async ({ guildId, failures }, stop) => {
    const { jobs, log, retryMs } = deps;
    try {
      await renew(deps, guildId, stop);
    } catch (error) {
      if (stop.aborted) throw error;
      const tries = failures + 1;
      if (tries >= triesMax) {
        log.warn({ err: error, guildId }, 'The verify panel could not be edited and keeps the previous name');
        return;
      }
      log.info({ err: error, guildId }, 'The verify panel waits for another try');
      await jobs.send(panelRenewal, { guildId, failures: tries }, { at: new Date(Date.now() + retryMs) });
    }
  },
});

async function renew({ configs, messages, log }: PanelRenewalDeps, guildId: string, stop: AbortSignal): Promise<void> {
  const panel = await configs.panelOf(guildId);
  if (panel === null) return;
  if ((await messages.edit(panel.panel, panelText(panel.nftName), stop)) === 'out-of-reach') {
    log.info({ guildId }, 'The verify panel is gone or out of reach: its name is left as it was');
  }
}
