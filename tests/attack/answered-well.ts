import type { AttackWorld } from './attack-world.ts';
import type { Role } from './generated-requests.ts';
import { complaintAbout } from './judge-answer.ts';
import type { WireAnswer } from './send-request.ts';

interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly role?: Role;
}

/** A call that must succeed and fit its description: returns the `data` of the answer; throws otherwise. */
export type CallWell = <Data = unknown>(method: string, path: string, given?: Given) => Promise<Data>;

export interface WellAnswered {
  readonly call: CallWell;
  /** As `METHOD /path` of the description. */
  readonly answered: ReadonlySet<string>;
}

/** On a busy machine a bot may start or stop slower than the call waits: the call is repeated, as its answer says. */
async function settled(ask: () => Promise<WireAnswer>): Promise<WireAnswer> {
  const answer = await ask();
  return answer.status === 409 && answer.text.includes('"bot-still-') ? settled(ask) : answer;
}

/** Makes calls as people do, and checks each answer against the description. */
export function answeringWell(world: AttackWorld): WellAnswered {
  const answered = new Set<string>();
  const call: CallWell = async <Data>(method: string, path: string, given: Given = {}) => {
    const { params = {}, query = {}, body, role = 'admin' } = given;
    const described = world.calls.find((each) => each.method === method && each.path === path);
    if (described === undefined) throw new Error(`${method} ${path} is not described`);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
    const target = Object.keys(query).length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
    const headers = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
    const request = {
      call: described,
      method,
      target,
      headers,
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
    };
    const answer = await settled(() => world.ask(request, role));
    const complaint = complaintAbout(world.calls, request, answer, world.secrets);
    if (complaint !== null) throw new Error(`${method} ${target}: ${complaint}`);
    if (answer.status !== 200) throw new Error(`${method} ${target} answered ${answer.status}: ${answer.text}`);
    answered.add(`${method} ${path}`);
    for (const [name, value] of Object.entries(params)) world.learn(name, value);
    return (
      answer.mediaType === 'application/json' ? (JSON.parse(answer.text) as { data: Data }).data : undefined
    ) as Data;
  };
  return { call, answered };
}
