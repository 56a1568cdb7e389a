import { Invalid, Refused, Unavailable } from '../shared/failure.ts';

/** One sentence for the operator, from whatever made a start fail. */
export function startFailureSentence(error: unknown, place: { readonly port: number; readonly host: string }): string {
  if (error instanceof Unavailable || error instanceof Refused || error instanceof Invalid) return error.message;
  if (!(error instanceof Error)) return `The start failed: ${String(error)}.`;
  const { port, host } = place;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken by another program: end that one, or choose another port with PORT.`,
    EACCES: `Port ${port} on ${host} is not allowed for this user: choose one above 1023 with PORT.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its own, such as 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: `The name ${host} is not known: set HOST to an address of this machine, such as 127.0.0.1.`,
    EAI_AGAIN: `The name ${host} is not known: set HOST to an address of this machine, such as 127.0.0.1.`,
    ENOSPC: 'The disk is full: free some space and start again.',
  };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo');
  const sentence = isListening || code === 'ENOSPC' ? sentences[code] : undefined;
  return sentence ?? `The start failed: ${error.message.split('\n', 1).join('')}.`;
}
