const filterNames = ['actor', 'action', 'subject', 'from', 'to'] as const;

/** What the log is narrowed to. Days are `2026-11-20`, in UTC as all times of the log. An empty text narrows nothing. */
export type Filters = Readonly<Record<(typeof filterNames)[number], string>>;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters out of an address; anything that is no day is no day. */
export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search);
  const text = (name: string): string => (given.get(name) ?? '').trim();
  const day = (name: string): string => (dayPattern.test(text(name)) ? text(name) : '');
  return { actor: text('actor'), action: text('action'), subject: text('subject'), from: day('from'), to: day('to') };
}

/** The filters as an address keeps them, after what else the address says. */
export function addressWith(path: string, search: string, filters: Filters): string {
  const next = new URLSearchParams(search);
  for (const name of filterNames) {
    if (filters[name] === '') next.delete(name);
    else next.set(name, filters[name]);
  }
  return next.size === 0 ? path : `${path}?${next}`;
}

/** The filters as GET /api/audit takes them: a day begins with its first and ends with its last millisecond. */
export function filtersOf({ from, to, ...texts }: Filters): Record<string, string> {
  const times = {
    from: from === '' ? '' : `${from}T00:00:00.000Z`,
    to: to === '' ? '' : `${to}T23:59:59.999Z`,
  };
  return Object.fromEntries(Object.entries({ ...texts, ...times }).filter(([, value]) => value !== ''));
}

export const noFilters: Filters = { actor: '', action: '', subject: '', from: '', to: '' };

export const narrowsNothing = (filters: Filters): boolean => filterNames.every((name) => filters[name] === '');
