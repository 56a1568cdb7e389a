import { findChat } from './group-life.ts';
import * as changes from './group-changes.ts';
import * as life from './group-life.ts';
import { methodNames } from './methods/method-table.ts';
import { seedChats } from './seed-chats.ts';
import type { SeededChats } from './seed-chats.ts';
import type { LimitSettings } from './send-limits.ts';
import { publishedLimits } from './send-limits.ts';
import * as talk from './talking.ts';
import { changeBotMembership } from './bot-membership.ts';
import type { Accepted, Chat, StoredMessage, Topic } from './telegram-state.ts';
import { createTelegramState } from './telegram-state.ts';
import type { CallRecord, TelegramServer } from './telegram-server.ts';
import { botUser } from './telegram-server.ts';
import type { User } from './wire.ts';

/** What was posted and refused since the counters were last reset. */
type TelegramCounters = {
  acceptedMessages: number;
  photoUploads: number;
  methods: Record<string, number>;
  refusals: Record<string, number>;
  /** 429 answers by the limit that was exceeded; one refusal may count for several. */
  overLimit: { overall: number; group: number; chat: number };
  pendingUpdates: number;
  isPolled: boolean;
};

type Bound<T> = T extends (server: TelegramServer, wanted: infer W) => infer R ? (wanted: W) => R : never;

/** Drives this Telegram and reads what happened in it. Ids are the Bot API's; times are milliseconds since 1970. */
export type TelegramControl = {
  readonly token: string;
  readonly bot: User;
  /** People and chats that exist from the start. */
  readonly seeded: SeededChats;
  createUser: (wanted: life.NewUser) => User;
  createChat: (wanted: life.NewChat) => Chat;
  createGroups: Bound<typeof life.createGroups>;
  createTopic: (wanted: { chatId: number; name: string }) => Topic;
  setTopic: Bound<typeof changes.setTopic>;
  setGeneral: Bound<typeof changes.setGeneral>;
  refuseNext: Bound<typeof changes.refuseNext>;
  setMember: (wanted: changes.SetMember) => void;
  setBot: (wanted: changes.SetBot) => void;
  setPermissions: Bound<typeof changes.setPermissions>;
  /** Opens a user's private chat with the bot without a message, or blocks the bot. */
  setBlocked: (wanted: { userId: number; isBlocked: boolean }) => void;
  migrateGroup: (wanted: changes.MigrateGroup) => Chat;
  deleteChat: (wanted: { chatId: number }) => void;
  /** A service message, such as `{new_chat_title: 'Rocks'}`. */
  postService: (wanted: { chatId: number; userId?: number; service: Record<string, unknown> }) => void;
  type: (wanted: talk.Typed) => StoredMessage;
  editTyped: (wanted: talk.EditTyped) => StoredMessage;
  /** Returns the callback query's id. */
  press: (wanted: talk.Press) => string;
  chat: (chatId: number) => Chat;
  chats: () => Chat[];
  /** The newest messages of a chat, oldest first. */
  history: (chatId: number) => StoredMessage[];
  /** All of the bot's messages accepted since the last drain, in order. */
  accepted: () => readonly Accepted[];
  /** Returns and removes them; counters stay. */
  drainAccepted: () => Accepted[];
  counters: () => TelegramCounters;
  resetCounters: () => void;
  /** The newest calls with their answers, oldest first. */
  calls: () => readonly CallRecord[];
  callbackAnswers: () => TelegramServer['state']['callbackAnswers'];
  commands: () => Record<string, { command: string; description: string }[]>;
  descriptions: () => { description: string; shortDescription: string };
  /** Omitted fields stay; `null` restores the published limits. */
  setLimits: (wanted: Partial<LimitSettings> | null) => LimitSettings;
  readFile: TelegramServer['files']['read'];
  methodNames: readonly string[];
  /** Back to the seeded chats; clears the webhook, pending updates, counters and commands. */
  reset: () => void;
  stop: () => void;
};

export function createTelegramControl(server: TelegramServer): TelegramControl {
  let seeded = seedChats(server);
  const resetCounters = (): void => {
    server.accepted = [];
    server.acceptedCount = 0;
    server.photoUploads = 0;
    server.callsByMethod.clear();
    server.refusalsByCode.clear();
    server.calls = [];
    Object.assign(server.limits.refusals, { overall: 0, group: 0, chat: 0 });
  };
  return {
    token: server.token,
    bot: server.state.bot,
    get seeded() {
      return seeded;
    },
    ...lifeOf(server),
    type: (wanted) => talk.type(server, wanted),
    editTyped: (wanted) => talk.editTyped(server, wanted),
    press: (wanted) => talk.press(server, wanted),
    ...readingsOf(server),
    drainAccepted: () => server.accepted.splice(0),
    resetCounters,
    setLimits: (wanted) => Object.assign(server.limits.settings, wanted ?? publishedLimits),
    methodNames,
    reset: () => {
      server.webhook.clear();
      server.queue.terminate();
      server.queue.clear();
      server.queue.setAllowed(null);
      server.limits.reset();
      server.state = createTelegramState(botUser);
      seeded = seedChats(server);
      resetCounters();
    },
    stop: () => server.webhook.clear(),
  };
}

function lifeOf(server: TelegramServer) {
  return {
    createUser: (wanted: life.NewUser) => life.createUser(server, wanted),
    createChat: (wanted: life.NewChat) => life.createChat(server, wanted),
    createGroups: (wanted: Parameters<typeof life.createGroups>[1]) => life.createGroups(server, wanted),
    createTopic: (wanted: { chatId: number; name: string }) => changes.createTopic(server, wanted),
    setTopic: (wanted: Parameters<typeof changes.setTopic>[1]) => changes.setTopic(server, wanted),
    setGeneral: (wanted: Parameters<typeof changes.setGeneral>[1]) => changes.setGeneral(server, wanted),
    refuseNext: (wanted: Parameters<typeof changes.refuseNext>[1]) => changes.refuseNext(server, wanted),
    setMember: (wanted: changes.SetMember): void => {
      changes.setMember(server, wanted);
    },
    setBot: (wanted: changes.SetBot) => changes.setBot(server, wanted),
    setPermissions: (wanted: Parameters<typeof changes.setPermissions>[1]) => changes.setPermissions(server, wanted),
    setBlocked: ({ userId, isBlocked }: { userId: number; isBlocked: boolean }): void => {
      const user = life.findUser(server, userId);
      const chat = life.privateChat(server, user);
      changeBotMembership(server, chat, { status: isBlocked ? 'kicked' : 'member', by: user });
    },
    migrateGroup: (wanted: changes.MigrateGroup) => changes.migrateGroup(server, wanted),
    deleteChat: (wanted: { chatId: number }) => changes.deleteChat(server, wanted),
    postService: (wanted: { chatId: number; userId?: number; service: Record<string, unknown> }): void => {
      const chat = findChat(server, wanted.chatId);
      const from = wanted.userId === undefined ? changes.someAdmin(server, chat) : life.findUser(server, wanted.userId);
      changes.postService(server, chat, from, wanted.service);
    },
  };
}

function readingsOf(server: TelegramServer) {
  return {
    chat: (chatId: number) => findChat(server, chatId),
    chats: () => [...server.state.chats.values()],
    history: (chatId: number) => findChat(server, chatId).messages,
    accepted: () => server.accepted,
    counters: (): TelegramCounters => ({
      acceptedMessages: server.acceptedCount,
      photoUploads: server.photoUploads,
      methods: Object.fromEntries(server.callsByMethod),
      refusals: Object.fromEntries(server.refusalsByCode),
      overLimit: { ...server.limits.refusals },
      pendingUpdates: server.queue.pending().length,
      isPolled: server.queue.isHeldOpen(),
    }),
    calls: () => server.calls,
    callbackAnswers: () => server.state.callbackAnswers,
    commands: () => Object.fromEntries(server.state.commands),
    descriptions: () => ({
      description: server.state.description,
      shortDescription: server.state.shortDescription,
    }),
    readFile: (fileUniqueId: string) => server.files.read(fileUniqueId),
  };
}
