import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../../web/api-client.ts';
import { failureText } from '../../../web/failure-text.ts';
import { Button } from '../../../web/ui/button.tsx';
import type { DryRunAnswer } from '../../contract.ts';
import { guildPath } from './discord-calls.ts';
import { dryRunInWords, type DryRunResult, foundInWords } from './dry-run-words.ts';
import { NameList } from './name-list.tsx';

interface DryRunProps {
  readonly guildId: string;
  /** As it would be saved. Another one begins anew. */
  readonly contract: string;
  readonly disabled: boolean;
  readonly onBegin: () => void;
}

/** Rulings R6: what a save would do ('gives the role to 41, takes it from 3'), before it is done. Changes nothing. */
export function DryRun({ guildId, contract, disabled, onBegin }: DryRunProps) {
  const { mutate, data, error, isPending } = useMutation<DryRunResult, unknown, string>({
    mutationFn: async (nftContract) => {
      const call = { method: 'POST', path: `${guildPath(guildId)}/dry-run`, body: { nftContract } } as const;
      return ((await callApi(call)) as DryRunAnswer).data;
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
        {error !== null && <p className="field-error mt-3 wrap-anywhere">{failureText(error)}</p>}
        {data !== undefined && <Result result={data} />}
      </div>
    </div>
  );
}

function Result({ result }: { readonly result: DryRunResult }) {
  const { headline, more } = dryRunInWords(result);
  return (
    <section aria-label="Dry run" className="mt-3 wrap-anywhere">
      <p className="text-sm text-quiet">
        <bdi>{foundInWords(result)}</bdi>
      </p>
      <p className="mt-1 font-bold">{headline}</p>
      {more.map((sentence) => (
        <p key={sentence} className="text-quiet">
          {sentence}
        </p>
      ))}
      {result.hasRole && (
        <>
          <NameList title={`Who would be given it (${result.gives})`} members={result.givesTo} total={result.gives} />
          <NameList title={`Who would lose it (${result.takes})`} members={result.takesFrom} total={result.takes} />
        </>
      )}
    </section>
  );
}
