const marks = /[\\*_~`|>#[\]()<@-]/g;

/** Escapes foreign text for our messages (rulings R5): no markdown, links or mentions. */
export const forDiscord = (text: string): string =>
  text.replace(marks, (mark) => `\\${mark}`).replaceAll('://', ':\u200B//');
