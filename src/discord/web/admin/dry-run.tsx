import { useMutation } from '@tanstack/react-query';
import { foreignText } from '../../../shared/foreign-text.ts';
import { shortType } from '../../../shared/sui-address.ts';
import { readAnswer } from '../../../ui/api/answer-schema.ts';
import { ApiError, failureText } from '../../../ui/api/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { counted, wholeNumberText } from '../../../ui/decimal-text.ts';
import { type DryRunResult, dryRunResult } from './discord-answers.ts';
import { guildPath } from './discord-calls.ts';
import { NameList } from './members.tsx';

/** The server's refusals of a contract, for a save and a dry run. */
const contractRefusals: ReadonlySet<string> = new Set(['nft-contract-missing', 'nft-contract-malformed', 'not-an-nft']);
export const isContractRefusal = (error: unknown): boolean =>
  error instanceof ApiError && contractRefusals.has(error.code ?? '');

interface DryRunProps {
  readonly guildId: string;
  readonly contract: string;
  readonly disabled: boolean;
  readonly onBegin: () => void;
  readonly onRefused: (error: unknown) => void;
}

/** Rulings R6: what a save would do ('gives the role to 41, takes it from 3'), before it is done. */
export function DryRun({ guildId, contract, disabled, onBegin, onRefused }: DryRunProps) {
  const { mutate, data, error, isPending } = useMutation<DryRunResult, unknown, string>({
    onError: onRefused,
    mutationFn: (nftContract) =>
      readAnswer({ method: 'POST', path: `${guildPath(guildId)}/dry-run`, body: { nftContract } }, dryRunResult),
  });
  return (
    <div className="border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          size="small"
          busy={isPending}
          disabled={disabled || contract === ''}
          onClick={() => {
            onBegin();
            mutate(contract);
          }}
        >
          Dry run
        </Button>
        <p className="min-w-0 flex-1 basis-40 text-sm text-quiet">Shows what saving would do. Changes nothing.</p>
      </div>
      <div aria-live="polite">
        {isPending && <p className="mt-3 text-quiet">Checking the wallets of all verified members…</p>}
        {error !== null && !isContractRefusal(error) && (
          <p className="field-error mt-3 wrap-anywhere">{failureText(error)}</p>
        )}
        {data !== undefined && <Result result={data} />}
      </div>
    </div>
  );
}

function Result({ result }: { readonly result: DryRunResult }) {
  const { headline, more } = dryRunInWords(result);
  const found = foundInWords(result);
  return (
    <section aria-label="Dry run" className="mt-3 wrap-anywhere">
      {found !== null && (
        <p className="text-sm text-quiet">
          <bdi>{found}</bdi>
        </p>
      )}
      <p className="mt-1 font-bold">{headline}</p>
      {more.map((sentence) => (
        <p key={sentence} className="text-quiet">
          {sentence}
        </p>
      ))}
      {result.hasRole !== false && (
        <>
          <NameList title={`Who would get it (${result.gives})`} members={result.givesTo} total={result.gives} />
          <NameList title={`Who would lose it (${result.takes})`} members={result.takesFrom} total={result.takes} />
        </>
      )}
    </section>
  );
}

const people = (count: number): string => (count === 0 ? 'nobody' : wholeNumberText(count));

/** 'Gives the role to 41, takes it from 3.', and what else to know before a save. */
export function dryRunInWords(result: DryRunResult): { readonly headline: string; readonly more: readonly string[] } {
  const { isConfigured, verifiedCount, gives, takes, keeps, losing, unknown } = result;
  if (verifiedCount === 0) {
    return { headline: 'Changes nothing: nobody has linked a wallet in this server yet.', more: [] };
  }
  if (result.hasRole === false) {
    return {
      headline: 'No role is chosen, or it was deleted: nobody gets a role until one is chosen with /setup.',
      more: [],
    };
  }
  return {
    headline:
      isConfigured === true && gives === 0
        ? 'Changes nothing: this contract is already in use here.'
        : `Gives the role to ${people(gives)}, takes it from ${people(takes)}.`,
    more: [
      keeps && `${wholeNumberText(keeps)} ${keeps === 1 ? 'keeps' : 'keep'} it.`,
      losing && `${counted(losing, 'member')} will lose the role regardless.`,
      unknown && `${wholeNumberText(unknown)} could not be checked now: nothing would change for them.`,
      takes && 'Nobody loses it at once: only after two checks and the grace period.',
    ].filter((sentence) => typeof sentence === 'string'),
  };
}

/** The collection's name on the chain or at the marketplace, which is untrusted text. */
export const foundInWords = ({ foundName, nftType }: Pick<DryRunResult, 'foundName' | 'nftType'>): string | null => {
  const found = [
    ...(foundName === null ? [] : [`‘${foreignText(foundName, 60)}’`]),
    ...(nftType === null ? [] : [shortType(nftType)]),
  ];
  return found.length === 0 ? null : `Found ${found.join(', ')}`;
};
