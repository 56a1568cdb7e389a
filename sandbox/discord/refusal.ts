import type { z } from 'zod';

type FormErrors = { [field: string]: FormErrors | { code: string; message: string }[] };

/** A refused call; sent as `{message, code, errors}`. */
export class DiscordRefusal extends Error {
  override name = 'DiscordRefusal';
  readonly status: number;
  readonly code: number;
  readonly errors: FormErrors | undefined;

  constructor(status: number, code: number, message: string, errors?: FormErrors) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

const known = {
  unknownChannel: [404, 10003, 'Unknown Channel'],
  unknownGuild: [404, 10004, 'Unknown Guild'],
  unknownMember: [404, 10007, 'Unknown Member'],
  unknownMessage: [404, 10008, 'Unknown Message'],
  unknownRole: [404, 10011, 'Unknown Role'],
  unknownUser: [404, 10013, 'Unknown User'],
  unknownWebhook: [404, 10015, 'Unknown Webhook'],
  unknownInteraction: [404, 10062, 'Unknown interaction'],
  unknownCommand: [404, 10063, 'Unknown application command'],
  alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
  missingAccess: [403, 50001, 'Missing Access'],
  foreignMessage: [403, 50005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50006, 'Cannot send an empty message'],
  closedDms: [403, 50007, 'Cannot send messages to this user'],
  noTextChannel: [400, 50008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50013, 'Missing Permissions'],
  invalidWebhookToken: [401, 50027, 'Invalid Webhook Token'],
  invalidRecipient: [400, 50033, 'Invalid Recipient(s)'],
  invalidApiVersion: [400, 50041, 'Invalid API version specified'],
  badJson: [400, 50109, 'The request body contains invalid JSON.'],
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  wrongMethod: [405, 0, '405: Method Not Allowed'],
} as const;

/** A refusal with Discord's own code and words. */
export function refusal(what: keyof typeof known): DiscordRefusal {
  const [status, code, message] = known[what];
  return new DiscordRefusal(status, code, message);
}

/** 50035 for one field; `path` leads to it. */
export function invalidForm(path: readonly (string | number)[], code: string, message: string): DiscordRefusal {
  return new DiscordRefusal(400, 50035, 'Invalid Form Body', formErrors([{ path, code, message }]));
}

/** 50035 for every problem that a schema found. */
export function invalidFormOf(error: z.ZodError): DiscordRefusal {
  const problems = error.issues.map((issue) => ({
    path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
    code: issue.code === 'too_big' || issue.code === 'too_small' ? 'BASE_TYPE_BAD_LENGTH' : 'BASE_TYPE_CHOICES',
    message: issue.message,
  }));
  return new DiscordRefusal(400, 50035, 'Invalid Form Body', formErrors(problems));
}

type Problem = { path: readonly (string | number)[]; code: string; message: string };

function formErrors(problems: readonly Problem[]): FormErrors {
  const tree: FormErrors = {};
  for (const { path, code, message } of problems) {
    let at = tree;
    for (const part of path) {
      const next = at[String(part)];
      at = at[String(part)] = next === undefined || Array.isArray(next) ? {} : next;
    }
    const earlier = at['_errors'];
    at['_errors'] = [...(Array.isArray(earlier) ? earlier : []), { code, message }];
  }
  return tree;
}
