import { defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import {
  type VerificationAnswer,
  verificationAnswer,
  verifyMessageAnswer,
  verifyMessageBody,
  type VerifyOutcomeAnswer,
  verifyOutcomeAnswer,
  verifyParams,
  type VerifyProgressAnswer,
  verifyProgressAnswer,
  verifyProgressBody,
  verifySignatureBody,
} from '../verify-contract.ts';
import { type VerificationRefusal, verificationRefusals } from './rules/verification-refusals.ts';

/** The results of calls to `/api/verify/…`. */
export interface VerificationCalls {
  read(token: string): Promise<VerificationAnswer['data'] | VerificationRefusal>;
  message(token: string, wallet: string): Promise<{ message: string; expiresAt: string } | VerificationRefusal>;
  redeem(
    token: string,
    signed: { readonly wallet: string; readonly signature: string },
  ): Promise<VerifyOutcomeAnswer['data'] | VerificationRefusal>;
  /** For the one who signed, as long as the link would have been valid. */
  outcome(token: string, receipt: string): Promise<VerifyProgressAnswer['data'] | VerificationRefusal>;
}

/** zkLogin signatures have 1 to 2 kB, a multisig of several of them more. */
const signatureBytes = 32 * 1_024;

/** Rulings R5: public, by the secret in the link alone. */
export const verificationRoutes = (calls: VerificationCalls): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/verify/{token}',
    access: 'public',
    summary: 'For which server and member a verification link is, and until when',
    params: verifyParams,
    answer: verificationAnswer,
    handle: async ({ params }) => answerOf(await calls.read(params.token)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/verify/{token}/message',
    access: 'public',
    summary: 'The message that a wallet is to sign; the one before is void',
    params: verifyParams,
    bodyBytes: 1_024,
    body: verifyMessageBody,
    answer: verifyMessageAnswer,
    handle: async ({ params, body }) => answerOf(await calls.message(params.token, body.wallet)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/verify/{token}/signature',
    access: 'public',
    summary: 'Link the wallet that signed the message; each message is checked once, and a link links one wallet',
    bodyBytes: signatureBytes,
    params: verifyParams,
    body: verifySignatureBody,
    answer: verifyOutcomeAnswer,
    handle: async ({ params, body }) => answerOf(await calls.redeem(params.token, body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/verify/{token}/outcome',
    access: 'public',
    summary: 'What became of the role, for the browser that signed',
    params: verifyParams,
    bodyBytes: 1_024,
    body: verifyProgressBody,
    answer: verifyProgressAnswer,
    handle: async ({ params, body }) => answerOf(await calls.outcome(params.token, body.receipt)),
  }),
];

const answerOf = (answer: VerificationRefusal | object): RouteAnswer => {
  if (typeof answer !== 'string') return { status: 200, body: { data: answer } };
  const { status, message } = verificationRefusals[answer];
  return { status, body: { message, code: answer } };
};
