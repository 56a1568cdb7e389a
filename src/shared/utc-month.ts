/** A calendar month of UTC is written `2026-10`. */
export const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Its first moment. */
export const monthStart = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

export const monthAfter = (month: string): string => {
  const start = monthStart(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)));
};

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** 'October 2026', without a browser's locale data. */
export const monthName = (month: string): string => `${names[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
