import { z } from 'zod';
import type { Json } from './discord-state.ts';
import { invalidForm, invalidFormOf, refusal } from './refusal.ts';

export const ephemeralFlag = 1 << 6;
export const loadingFlag = 1 << 7;
const componentsV2Flag = 1 << 15;

const snowflake = z.string().regex(/^\d{1,20}$/, 'Value is not snowflake.');
const list = <T extends z.ZodType>(of: T, most: number) =>
  z.array(of).max(most, `Must be ${most} or fewer in length.`).nullish();
const text = (most: number) => z.string().max(most, `Must be ${most} or fewer in length.`);

const allowedMentions = z
  .object({
    parse: z.array(z.enum(['users', 'roles', 'everyone'])).nullish(),
    users: list(snowflake, 100),
    roles: list(snowflake, 100),
    replied_user: z.boolean().nullish(),
  })
  .nullish();
export type AllowedMentions = z.infer<typeof allowedMentions>;

const embed = z.looseObject({
  title: text(256).nullish(),
  description: text(4096).nullish(),
  fields: list(z.looseObject({ name: text(256).min(1), value: text(1024).min(1) }), 25),
  footer: z.looseObject({ text: text(2048) }).nullish(),
});

const messageForm = z.object({
  content: text(2000).nullish(),
  embeds: list(embed, 10),
  components: list(z.looseObject({ type: z.int() }), 40),
  flags: z.int().nullish(),
  allowed_mentions: allowedMentions,
  nonce: z.union([z.int(), text(25)]).nullish(),
  enforce_nonce: z.boolean().nullish(),
});
export type MessageForm = z.infer<typeof messageForm>;

/** Parses a message. Throws 50035 if it breaks Discord's rules, 50006 if it is empty. */
export function readMessage(body: unknown, options: { mayBeEmpty: boolean }): MessageForm {
  const read = messageForm.safeParse(body ?? {});
  if (!read.success) throw invalidFormOf(read.error);
  const form = read.data;
  checkMentions(form.allowed_mentions);
  const isV2 = ((form.flags ?? 0) & componentsV2Flag) !== 0;
  if (!isV2) checkComponents(form.components ?? []);
  if (!options.mayBeEmpty) requireSomething(form);
  return form;
}

/** A message needs text, an embed or a component. */
export function requireSomething({ content, embeds, components }: MessageForm): void {
  const parts = (embeds ?? []).length + (components ?? []).length;
  if ((content ?? '').trim() === '' && parts === 0) throw refusal('emptyMessage');
}

function checkMentions(mentions: AllowedMentions): void {
  for (const kind of ['users', 'roles'] as const) {
    if (!mentions?.parse?.includes(kind) || (mentions[kind] ?? []).length === 0) continue;
    const sentence = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
    throw invalidForm(['allowed_mentions'], 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', sentence);
  }
}

const button = z.looseObject({
  type: z.literal(2),
  style: z.int().min(1).max(5),
  label: text(80).nullish(),
  custom_id: text(100).min(1).nullish(),
  url: text(512).nullish(),
  disabled: z.boolean().nullish(),
});
const select = z.looseObject({ type: z.union([z.literal(3), z.literal([5, 6, 7, 8])]), custom_id: text(100).min(1) });
const row = z.looseObject({
  type: z.literal(1),
  components: z
    .array(z.union([button, select]))
    .min(1)
    .max(5),
});

function checkComponents(components: readonly Json[]): void {
  const rows = z.array(row).max(5).safeParse(components);
  if (!rows.success) throw invalidFormOf(withPath(rows.error));
  const seen = new Set<string>();
  for (const [rowIndex, { components: inner }] of rows.data.entries()) {
    for (const [index, component] of inner.entries()) {
      const path = ['components', rowIndex, 'components', index];
      if (component.type === 2) checkButton(component, path);
      const customId = component.custom_id;
      if (typeof customId !== 'string') continue;
      if (seen.has(customId)) {
        const sentence = 'Component custom id cannot be duplicated';
        throw invalidForm([...path, 'custom_id'], 'COMPONENT_CUSTOM_ID_DUPLICATED', sentence);
      }
      seen.add(customId);
    }
  }
}

function withPath(error: z.ZodError): z.ZodError {
  return new z.ZodError(error.issues.map((issue) => ({ ...issue, path: ['components', ...issue.path] })));
}

/** A link button has a URL and no id; every other button the reverse. */
function checkButton(given: z.infer<typeof button>, path: (string | number)[]): void {
  const isLink = given.style === 5;
  const hasUrl = typeof given.url === 'string';
  if (isLink !== hasUrl || isLink === (typeof given.custom_id === 'string')) {
    const wanted = isLink ? 'url' : 'custom_id';
    const sentence = 'A custom id and url cannot both be specified, and one of them is required';
    throw invalidForm([...path, wanted], 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE', sentence);
  }
  if (!hasUrl) return;
  const protocol = URL.canParse(given.url ?? '') ? new URL(given.url ?? '').protocol : '';
  if (['http:', 'https:', 'discord:'].includes(protocol)) return;
  const sentence = `Scheme "${protocol.replace(':', '')}" is not supported. Scheme must be one of ('http', 'https', 'discord').`;
  throw invalidForm([...path, 'url'], 'URL_TYPE_INVALID_SCHEME', sentence);
}
