import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer } from '../service/answer.ts';

/** Against DNS rebinding: only loopback names are accepted. */
export function isForeignHost(ask: Ask): boolean {
  return !/^(127\.0\.0\.1|localhost):\d+$/.test(String(ask.headers.host));
}

/** Pages of other sites must not drive the sandbox: no foreign Origin, JSON only. Null if the call is allowed. */
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
