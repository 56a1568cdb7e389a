import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { readChainPlace } from '../src/config.ts';
import { checkPayments, type PaymentFindings } from '../src/payouts/core/check/check-payments.ts';
import { type CheckedPlan, examinePlan, inCoin, readPlan } from '../src/payouts/core/check/check-plan.ts';
import { foreignText } from '../src/shared/foreign-text.ts';
import { counted } from '../src/shared/money.ts';
import { shortType } from '../src/shared/sui-address.ts';
import { createSuiClient } from '../src/sources/sui/sui-client.ts';
import { readPublished, type PublishedPlan } from './published-plan.ts';
import { readTransactions, transferIn } from './treasury-transfers.ts';

/**
 * `npm run verify-payout` (docs/payouts.md): recalculates a payout's plan and compares it with the chain. Exit code 0: it adds up and
 * is paid; 1: one sentence on each problem, or on why it could not be checked.
 */
const usage =
  'npm run verify-payout -- <plan.json or address of the payout> [--sha256 <published hash>] [plans of other payouts]\n' +
  'SUI_GRPC_URL and SUI_ARCHIVE_URL replace the public Sui node and archive.';

/** A plan is untrusted text. */
const lineMax = 500;
const sha256 = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');

interface Outcome {
  readonly facts: readonly string[];
  readonly findings: readonly string[];
}

async function verify({ file, publishedSha256, others, withdrawnAt }: PublishedPlan): Promise<Outcome> {
  const examined = await examinePlan({ file, publishedSha256, sha256 });
  if ('problem' in examined) return { facts: [], findings: [examined.problem] };
  const { plan, problems } = examined;
  const hash = `SHA-256 ${examined.sha256}${publishedSha256 === null ? ', to be compared with the published one' : ''}`;
  const facts = [
    `Payout ${plan.payout}: ${plan.title}. ${hash}.`,
    `It is paid by the treasury ${plan.treasury}.`,
    `The coin ${plan.coin.symbol} is ${shortType(plan.coin.type)}.`,
    ...plan.leftOut.flatMap(({ address, rocks, reason }) =>
      address === null
        ? [`Left out, as no owner is known: ${counted(rocks.length, 'rock')}, ${rocks.join(', ')} (${reason}).`]
        : [],
    ),
  ];
  const chain = await readChain(plan, others);
  if ('problem' in chain) return { facts, findings: [...problems, chain.problem] };
  const paid = checkPayments(plan, chain.transfers, { others, withdrawnAt });
  const withdrawn = withdrawnAt.get(plan.payout)?.toISOString().slice(0, 10);
  if (withdrawn !== undefined) facts.push(`Withdrawn on ${withdrawn}: nobody is owed its open lines.`);
  const adds = `${counted(plan.lines.length, 'line')}, ${inCoin(plan, BigInt(plan.totalRaw))} in all`;
  return {
    facts: [
      ...facts,
      `${adds}. Paid once and to the last unit: ${paid.paid}, as of checkpoint ${chain.newest}.`,
      ...paid.shared,
    ],
    findings: [...problems, ...paid.problems, ...(withdrawn === undefined ? openLines(plan, paid) : [])],
  };
}

/** From the oldest snapshot on: what was paid of the other plans before this one's decides which of them still await a payment. */
async function readChain(plan: CheckedPlan, others: readonly CheckedPlan[]) {
  const place = readChainPlace(plan.network);
  if (!place.ok) return { problem: place.message };
  const { SUI_NETWORK: network, SUI_GRPC_URL: nodeUrl, SUI_ARCHIVE_URL: archiveUrl } = place.config;
  const node = createSuiClient({ network, baseUrl: nodeUrl, headers: place.config.SUI_GRPC_HEADERS });
  const archive =
    archiveUrl === null ? null : createSuiClient({ upstream: 'The Sui archive', network, baseUrl: archiveUrl });
  const { treasury, coin, chainId } = plan;
  const snapshot = BigInt(plan.snapshot.checkpoint);
  const after = others
    .map((other) => BigInt(other.snapshot.checkpoint))
    .reduce((oldest, each) => (each < oldest ? each : oldest), snapshot);
  const read = await readTransactions({ node, archive }, treasury, { after, snapshot });
  if ('problem' in read) return read;
  if (chainId !== null && read.chainId !== null && chainId !== read.chainId) {
    return { problem: `The plan is for chain ${chainId}, but the node is on chain ${read.chainId}.` };
  }
  const transfers = read.transactions.flatMap((tx) => transferIn(tx, treasury, coin.type) ?? []);
  return { transfers, newest: read.newest };
}

function openLines(plan: CheckedPlan, { open }: PaymentFindings): readonly string[] {
  if (open.length === plan.lines.length) return ['None of it is paid.'];
  return open.map(({ address, raw }) => `${address} has not received its ${inCoin(plan, BigInt(raw))}.`);
}

const readPlanFile = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const isMissing = cause.code === 'ENOENT';
    const why = isMissing
      ? `There is no file ${path}. An address begins with https://.`
      : `${path} cannot be read (${cause.code}).`;
    throw new Error(why, { cause });
  });

async function readFiles(
  path: string,
  publishedSha256: string | null,
  otherPaths: readonly string[],
): Promise<PublishedPlan> {
  const others: CheckedPlan[] = [];
  for (const other of otherPaths) {
    const read = readPlan(await readPlanFile(other));
    if ('problem' in read) throw new Error(`${other}: ${read.problem}`);
    others.push(read.plan);
  }
  const file = await readPlanFile(path);
  return { file, publishedSha256, others, withdrawnAt: new Map() };
}

async function main(): Promise<number> {
  const options = { sha256: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [source, ...others] = positionals;
  if (source === undefined || values.help === true) {
    console.error(usage);
    return 1;
  }
  // From the announcement: it counts more than what the site says today.
  const announcedSha256 = values.sha256?.toLowerCase() ?? null;
  if (announcedSha256 !== null && !/^[0-9a-f]{64}$/.test(announcedSha256))
    throw new Error('A SHA-256 is 64 hexadecimal digits.');
  const published = /^https?:/i.test(source)
    ? await readPublished(source)
    : await readFiles(source, announcedSha256, others);
  const publishedSha256 = announcedSha256 ?? published.publishedSha256;
  const { facts, findings } = await verify({ ...published, publishedSha256 });
  for (const sentence of facts) console.log(foreignText(sentence, lineMax));
  for (const finding of findings) console.log(`- ${foreignText(finding, lineMax)}`);
  console.log(
    findings.length === 0
      ? 'It adds up.'
      : `${findings.length} ${findings.length === 1 ? 'problem' : 'problems'} found.`,
  );
  return findings.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`It could not be checked: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
