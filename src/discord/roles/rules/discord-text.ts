const marks = /[\\*_~`|>#[\]()<@-]/g;

/** Text of strangers between our own words (rulings R5): Discord's marks lose their meaning, links and mentions are not made. */
export const forDiscord = (text: string): string =>
  text.replace(marks, (mark) => `\\${mark}`).replaceAll('://', ':\u200B//');
