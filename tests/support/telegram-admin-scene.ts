import { beforeEach } from 'vitest';

import type { TelegramConfiguration } from '../../src/telegram/contract.ts';
import type { TelegramCopy } from './telegram-copy.ts';
import { type TelegramGroupScene, telegramGroupScene } from './telegram-group-scene.ts';

type Answer = ReturnType<TelegramCopy['call']>;
type Headers = Parameters<TelegramCopy['call']>[3];

/** Specification 7 (telegram): the admin calls over real HTTP, on the configuration of a group that was just set up. */
export interface TelegramAdminScene extends TelegramGroupScene {
  /** Id of the group's configuration. */
  readonly id: () => string;
  readonly call: TelegramCopy['call'];
  readonly listed: (path?: string) => Promise<readonly TelegramConfiguration[]>;
  /** The configuration as it is listed now. */
  readonly present: () => Promise<TelegramConfiguration>;
  /** `to`: the id of another configuration. */
  readonly reset: (body: unknown, headers?: Headers, to?: string) => Answer;
  readonly setHex: (hexCollectionId: unknown, headers?: Headers) => Answer;
  readonly remove: (headers?: Headers) => Answer;
  readonly restore: () => Answer;
  readonly sendTest: () => Answer;
}

export function telegramAdminScene(): TelegramAdminScene {
  const scene = telegramGroupScene('Rock <Group>');
  let id: string;
  beforeEach(async () => void (id = await scene.setUp()));

  const call: TelegramCopy['call'] = (...given) => scene.group.copy.call(...given);
  const listed = async (path = '/api/telegram/configs'): Promise<readonly TelegramConfiguration[]> =>
    (await call('GET', path)).body.data;
  return {
    ...scene,
    id: () => id,
    call,
    listed,
    present: async () => {
      const found = (await listed()).find((each) => each.id === id);
      if (found === undefined) throw new Error('The configuration is not listed');
      return found;
    },
    reset: (body, headers = {}, to = id) => call('POST', `/api/telegram/reset-mint-count/${to}`, body, headers),
    setHex: (hexCollectionId, headers = {}) => call('PUT', `/api/telegram/config/${id}`, { hexCollectionId }, headers),
    remove: (headers = {}) => call('DELETE', `/api/telegram/configs/${id}`, undefined, headers),
    restore: () => call('POST', `/api/telegram/configs/${id}/restore`),
    sendTest: () => call('POST', `/api/telegram/configs/${id}/send-test`),
  };
}
