import type { ClaimedMessage, PictureShelf, Settlement } from './outbox.ts';

/** A picture is uploaded once (rulings R4): meanwhile, and until its file_id is written down, other chats with the same one wait. */
export interface Uploads {
  begin(message: ClaimedMessage): void;
  isUnderWay(imageUrl: string): boolean;
  /** False: nobody uploads it. */
  waitFor(imageUrl: string, chatId: string): boolean;
  waitingChatIds(): readonly string[];
  written(settlements: readonly Settlement[]): void;
}

export function createUploads(pictures: Pick<PictureShelf, 'drop'>): Uploads {
  const chatIds = new Map<string, string[]>();
  return {
    begin: ({ wantsPicture, fileId, content: { imageUrl } }) => {
      if (wantsPicture && fileId === null && imageUrl !== null) chatIds.set(imageUrl, []);
    },
    isUnderWay: (imageUrl) => chatIds.has(imageUrl),
    waitFor: (imageUrl, chatId) => chatIds.get(imageUrl)?.push(chatId) !== undefined,
    waitingChatIds: () => [...chatIds.values()].flat(),
    written: (settlements) => {
      for (const { message, outcome } of settlements) {
        const { imageUrl } = message.content;
        if (!message.wantsPicture || message.fileId !== null || imageUrl === null) continue;
        chatIds.delete(imageUrl);
        if (outcome.kind === 'sent') pictures.drop(imageUrl);
      }
    },
  };
}
