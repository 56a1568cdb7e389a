import * as z from 'zod/mini';
import {
  flagOrOff,
  instant,
  list,
  orNull,
  orUnknown,
  readable,
  rowId,
  textOrNone,
} from '../../../ui/api/answer-schema.ts';
import { botServiceReadings } from '../../../ui/bot-service.tsx';
import { pollEveryMs, useAnswer, useAnswerPages, watchEveryMs } from '../../../ui/api/use-answer.ts';
import { deliveriesAnswer, telegramConfiguration as configuration, telegramStatusAnswer } from '../../contract.ts';

export const telegramStatus = readable(telegramStatusAnswer, ['since', 'collectionCount'], {
  ...botServiceReadings,
  active: flagOrOff,
  username: orUnknown(z.string()),
});
export type TelegramStatus = z.output<typeof telegramStatus>;

/** Specification 3, Telegram configuration: it gives no type for ids. */
export const telegramConfiguration = readable(configuration, [], {
  id: rowId,
  chatId: textOrNone,
  collectionName: textOrNone,
  collectionId: textOrNone,
  chatTitle: textOrNone,
  // null: never.
  lastCheckedAt: orUnknown(instant),
  lastSucceededAt: orUnknown(instant),
  lastEventAt: orUnknown(instant),
  lastSentAt: orUnknown(instant),
});
export type TelegramConfiguration = z.output<typeof telegramConfiguration>;

export const telegramConfigurations = list(telegramConfiguration);

export const deliveriesPage = readable(deliveriesAnswer, ['messages'], {
  id: rowId,
  preview: textOrNone,
  nextBefore: orNull(rowId),
});
export type TelegramMessage = z.output<typeof deliveriesPage>['messages'][number];

const configurationsPath = '/api/telegram/configs';

export const configurationPath = (id: string): string => `${configurationsPath}/${encodeURIComponent(id)}`;

export const useTelegramStatus = () =>
  useAnswer('/api/telegram/status', telegramStatus, {
    refetchInterval: ({ state }) => (state.data?.state === 'starting' ? watchEveryMs : pollEveryMs),
  });

export const useTelegramConfigurations = () => useAnswer(configurationsPath, telegramConfigurations);

export const useDeletedConfigurations = (enabled: boolean) =>
  useAnswer('/api/telegram/deleted-configs', telegramConfigurations, { enabled });

const isQueued = ({ state }: TelegramMessage): boolean => state === 'pending' || state === 'sending';

export const useDeliveries = (configurationId: string) =>
  useAnswerPages({
    key: ['/api/telegram/deliveries', configurationId],
    schema: deliveriesPage,
    pathOf: (before) => `${configurationPath(configurationId)}/deliveries${before === null ? '' : `?before=${before}`}`,
    cursorOf: ({ nextBefore }) => nextBefore,
    rowsOf: ({ messages }) => messages,
    keyOf: ({ id }) => id,
    refetchInterval: ([newest]) => (newest?.messages.some(isQueued) === true ? watchEveryMs : pollEveryMs),
  });
