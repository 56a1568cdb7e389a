/** Limits questions and refusals per chat, and over all chats. */
const waitingMax = 20;
const waitingOverallMax = 1_000;

/** Questions change nothing and are answered from this copy's memory, in order within a chat. */
export function createQuestionQueue() {
  const chats = new Map<string, { readonly count: number; readonly last: Promise<void> }>();
  let overall = 0;
  const leave = (chat: string): void => {
    overall -= 1;
    const now = chats.get(chat);
    if (now === undefined || now.count === 1) chats.delete(chat);
    else chats.set(chat, { ...now, count: now.count - 1 });
  };
  const answerAfter = async (last: Promise<void>, chat: string, answer: () => Promise<void>): Promise<void> => {
    await last;
    await answer();
    leave(chat);
  };
  return {
    /** False: too many wait, and this one is dropped. `answer` must not throw. */
    add: (chat: string, answer: () => Promise<void>): boolean => {
      const { count, last } = chats.get(chat) ?? { count: 0, last: Promise.resolve() };
      if (count >= waitingMax || overall >= waitingOverallMax) return false;
      overall += 1;
      chats.set(chat, { count: count + 1, last: answerAfter(last, chat, answer) });
      return true;
    },
    /** Resolves when everything added so far is answered. */
    idle: async (): Promise<void> => {
      while (chats.size > 0) await Promise.all([...chats.values()].map(({ last }) => last));
    },
  };
}

/** A chat gets one message a second (rulings R4): this is how long a full queue takes. */
export const fullForMs = waitingMax * 1_000;
