import { z } from 'zod';

import { adminOf, defineRoute, type Route } from '../http/route.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { build, list, checkChain, send } from './payout-transactions.ts';
import { digestPattern } from '../shared/sui-address.ts';
import { signatureLengthMax } from '../sources/sui/verify-signature.ts';
import { notADigest } from './core/payout-words.ts';
import { chainCheckAnswer, payoutTransactionsAnswer } from './payout-admin-contract.ts';
import { payoutId } from './payout-routes.ts';

const path = '/api/admin/payouts/{id}/transactions';
const params = z.strictObject({ id: payoutId });
export const transactionDigest = z.string().regex(digestPattern, notADigest);
const sendParams = z.strictObject({ id: payoutId, digest: transactionDigest });
const signatureBytes = 32 * 1_024;
const sendBody = z.strictObject({
  signature: z.string().min(1).max(signatureLengthMax).describe('The treasury’s, or for a multisig the combined one'),
});
const checkBody = z.strictObject({
  digest: transactionDigest.nullable().describe('null: only read the chain to its end'),
});

const answered = async <Data>(data: Promise<Data>) => ({ data: await data });

/** Rulings R9: the product builds, proves and checks transactions; the team signs them. */
export const transactionRoutes = (deps: PayoutDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path,
    access: 'treasurer',
    summary: 'The transactions of a payout, newest first, and what is open',
    params,
    answer: payoutTransactionsAnswer,
    handle: ({ params: { id } }) => answered(list(deps, id)),
  }),
  defineRoute({
    method: 'POST',
    path,
    access: 'treasurer',
    needsSecondFactorAgain: true,
    summary: 'Build the next transaction of a payout, or get the one that may still be executed',
    params,
    answer: payoutTransactionsAnswer,
    handle: ({ params: { id }, user }) => answered(build(deps, id, adminOf(user))),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{digest}/send`,
    access: 'treasurer',
    needsSecondFactorAgain: true,
    summary: 'Send the signed transaction to the node and read the result',
    params: sendParams,
    bodyBytes: signatureBytes,
    body: sendBody,
    answer: payoutTransactionsAnswer,
    handle: ({ params: { id, digest }, body: { signature }, user }) =>
      answered(send(deps, { id, digest, signature }, adminOf(user))),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/check`,
    access: 'treasurer',
    summary: 'Read the chain up to now, to find a transaction executed elsewhere',
    params,
    bodyBytes: 1_024,
    body: checkBody,
    answer: chainCheckAnswer,
    handle: ({ params: { id }, body: { digest } }) => answered(checkChain(deps, id, digest)),
  }),
];
