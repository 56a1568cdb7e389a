import type { DescribedCall } from './described-calls.ts';
import type { GeneratedRequest } from './generated-requests.ts';
import type { WireAnswer } from './send-request.ts';

/** Words that reveal internals, which no answer may contain. */
const insideWords = /node_modules|\.[jt]s:\d+:\d+|\bpg_catalog\b|syntax error at or near|duplicate key value/;

const textOrPicture =
  /^(?:(?:text\/\w+|application\/(?:json|atom\+xml)|image\/svg\+xml); charset=utf-8|image\/(?:png|webp))$/;

/** The call that a request reaches: its altered address may lead to another one. */
function reachedCall(
  calls: readonly DescribedCall[],
  { method, target }: Pick<GeneratedRequest, 'method' | 'target'>,
): DescribedCall | undefined {
  const [path = ''] = target.split('?');
  const asked = method === 'HEAD' ? 'GET' : method;
  const fits = (call: DescribedCall): boolean =>
    new RegExp(`^${call.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`).test(path);
  const all = calls.filter((call) => call.method === asked && fits(call));
  // A fixed path wins over one with parameters.
  return all.toSorted((one, other) => one.parameters.length - other.parameters.length)[0];
}

/** What is wrong with an answer, as a sentence; null: it is as described. */
export function complaintAbout(
  calls: readonly DescribedCall[],
  request: Pick<GeneratedRequest, 'method' | 'target' | 'call'>,
  answer: WireAnswer,
  secrets: readonly string[],
): string | null {
  const { status, headers, text } = answer;
  if (status >= 500) return `answered ${status}: ${text.slice(0, 300)}`;
  const wrongHeader = complaintAboutHeaders(headers);
  if (wrongHeader !== null) return `${status} ${wrongHeader}`;
  if (secrets.some((secret) => text.includes(secret)) || insideWords.test(text)) return `reveals a secret: ${text}`;
  if (request.method === 'HEAD' || status === 204 || status === 304 || status === 308) {
    return text === '' ? null : `${status} to ${request.method} with a body`;
  }
  // Other addresses are pages; under /api everything is JSON.
  if (!/^\/api(?:[/?]|$)/.test(request.target) && status === 404 && answer.mediaType === 'text/html') return null;
  return misfit(reachedCall(calls, request), request.call, answer);
}

function complaintAboutHeaders(headers: WireAnswer['headers']): string | null {
  if (headers['x-content-type-options'] !== 'nosniff') return 'without nosniff';
  if (headers['access-control-allow-origin'] !== undefined) return 'lets another origin read it';
  const contentType = String(headers['content-type'] ?? '');
  return contentType === '' || textOrPicture.test(contentType) ? null : `of type '${contentType}'`;
}

function misfit(reached: DescribedCall | undefined, meant: DescribedCall, answer: WireAnswer): string | null {
  const { status, mediaType, text } = answer;
  if (reached === undefined && status < 400) return `${status} from a call that is not described`;
  const described = (reached ?? meant).answersOf(status);
  const whole = described.get('*/*');
  if (whole !== undefined) return whole(text) ? null : `${status} is not text`;
  const fits = described.get(mediaType);
  if (fits === undefined) return `${status} of type '${mediaType}' is not described: ${text.slice(0, 200)}`;
  try {
    const body: unknown = JSON.parse(text);
    if (fits(body)) return null;
    const [first] = fits.errors ?? [];
    return `${status} does not fit its description: ${first?.instancePath} ${first?.message}: ${text.slice(0, 200)}`;
  } catch {
    return `${status} is not JSON: ${text.slice(0, 200)}`;
  }
}
