import * as z from 'zod/mini';

/**
 * A field with what /api/openapi.json says of it. Unlike the method `check`, this has no side effects for the bundler: of a contract, a page
 * gets only the answers that it reads.
 */
// @__NO_SIDE_EFFECTS__
export const described = <Schema extends z.ZodMiniType>(schema: Schema, text: string): Schema =>
  schema.check(z.describe(text));

export const time = z.iso.datetime();

/** What the statuses of both bots say of the service behind them (rulings R4 and R5). */
export const botServiceFields = {
  /** `not-configured`: there is no token. */
  state: z.enum(['not-configured', 'inactive', 'starting', 'active', 'failing']),
  /** What an admin last requested; a restart restores it. */
  wanted: z.enum(['active', 'inactive']),
  username: z.nullable(z.string()),
  since: z.nullable(time),
  lastError: z.nullable(z.object({ message: z.string(), at: time })),
};

/** The address of a page. Nothing else may become a link. */
export const webLink = z.string().check(z.refine((address) => /^https?:\/\//.test(address)));

/**
 * Rulings R3: how far a figure can be trusted. `live`: read within twice its refresh. `stale`: the last good value, older
 * than that. `estimated`: derived from a source without a confidence of its own, or not yet confirmed by a second read.
 * `unavailable`: never read; the figure itself is then null, never zero.
 */
export const figureState = z.enum(['live', 'stale', 'estimated', 'unavailable']);
