import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer } from '../service/answer.ts';

/** A name that someone pointed at this machine: the sandbox is addressed as what it is. */
export function isForeignHost(ask: Ask): boolean {
  return !/^(127\.0\.0\.1|localhost):\d+$/.test(String(ask.headers.host));
}

/** A page of another site must not drive the sandbox: no foreign Origin, JSON only. null: it may pass. */
export function refuse(ask: Ask): Answer | null {
  const { host, origin } = ask.headers;
  if (origin !== undefined && origin !== `http://${String(host)}`) {
    return jsonAnswer(403, { message: 'Foreign origin' });
  }
  const type = String(ask.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim();
  return type === 'application/json' ? null : jsonAnswer(415, { message: 'Send application/json' });
}
