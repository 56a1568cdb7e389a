import { useMutation } from '@tanstack/react-query';
import { callApi, failureText } from '../../../ui/api/api-client.ts';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { Button } from '../../../ui/button.tsx';
import { type DryRunResult, dryRunResult } from './discord-answers.ts';
import { isContractRefusal } from './configure-values.ts';
import { guildPath } from './discord-calls.ts';
import { dryRunInWords, foundInWords } from './dry-run-words.ts';
import { NameList } from './name-list.tsx';

interface DryRunProps {
  readonly guildId: string;
  /** As it would be saved. Another one begins anew. */
  readonly contract: string;
  readonly disabled: boolean;
  readonly onBegin: () => void;
  readonly onRefused: (error: unknown) => void;
}

/** Rulings R6: what a save would do ('gives the role to 41, takes it from 3'), before it is done. Changes nothing. */
export function DryRun({ guildId, contract, disabled, onBegin, onRefused }: DryRunProps) {
  const { mutate, data, error, isPending } = useMutation<DryRunResult, unknown, string>({
    onError: onRefused,
    mutationFn: async (nftContract) => {
      const call = { method: 'POST', path: `${guildPath(guildId)}/dry-run`, body: { nftContract } } as const;
      const found = dataIn(await callApi(call), dryRunResult);
      if (found === undefined) throw new Error(`${call.path} did not say what would change`);
      return found;
    },
  });
  const begin = (): void => {
    onBegin();
    mutate(contract);
  };
  return (
    <div className="border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button size="small" busy={isPending} disabled={disabled || contract === ''} onClick={begin}>
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
