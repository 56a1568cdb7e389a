import { useRef, useState } from 'react';
import { useSiteConfig } from '../../../web/site-config-context.tsx';
import { failureText } from '../../../web/failure-text.ts';
import { FormDialog } from '../../../web/ui/form-dialog.tsx';
import { StaleVersions } from '../../../web/ui/stale-versions.tsx';
import { TextField } from '../../../web/ui/text-field.tsx';
import { useVersionedChange } from '../../../web/use-versioned-change.ts';
import { type DiscordGuild, discordGuild } from './discord-answers.ts';
import {
  bodyOf,
  type ConfigureForm,
  contractOf,
  endOfContract,
  isContractRefusal,
  prefilled,
  problemsOf,
  versionsOf,
} from './configure-values.ts';
import { useRefreshGuilds } from './discord-calls.ts';
import { DryRun } from './dry-run.tsx';
import { shownServer } from './server-words.ts';

interface ConfigureDialogProps {
  /** As it was when the dialog opened. */
  readonly guild: DiscordGuild;
  readonly onClose: () => void;
}

/** A contract that the server knows to be none, and why. Whatever else is typed is not refused yet. */
interface RefusedContract {
  readonly nftContract: string;
  readonly reason: string;
}

/** Specification 2, Configure Server dialog; 'Dry run', 'More' and the refusal of a stale save are from rulings R5 and R6. */
export function ConfigureDialog({ guild, onClose }: ConfigureDialogProps) {
  const [refused, setRefused] = useState<RefusedContract | null>(null);
  const contractField = useRef<HTMLInputElement>(null);
  const refuse = (nftContract: string, error: unknown): void => {
    if (!isContractRefusal(error)) return;
    setRefused({ nftContract, reason: failureText(error) });
    contractField.current?.focus();
  };
  const { send, busy, stale, problem, forgetProblem } = useSave(guild, onClose, refuse);
  const { form, found, type } = useForm(stale ?? guild);
  const [showsProblems, setShowsProblems] = useState(false);
  const contract = contractOf(form, stale ?? guild);
  const contractProblem = refused?.nftContract === contract ? refused.reason : undefined;
  const problems = {
    ...(contractProblem === undefined ? {} : { nftContract: contractProblem }),
    ...(showsProblems && found),
  };
  const save = (): void => {
    setShowsProblems(true);
    if (Object.keys(found).length === 0) send(form);
  };
  const field = (name: keyof ConfigureForm) => ({
    value: form[name],
    error: problems[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      forgetProblem();
      type(name, target.value);
    },
  });
  const end = endOfContract(contract);
  return (
    <FormDialog
      title="Configure Server"
      description={<bdi className="font-semibold">{shownServer(guild)}</bdi>}
      onClose={onClose}
      busy={busy}
      saveText={stale === null ? 'Save Configuration' : 'Save mine'}
      onSave={save}
    >
      <div className="grid gap-4">
        <TextField
          {...field('nftContract')}
          ref={contractField}
          label="NFT Contract"
          placeholder="0x12345::module::Type"
          spellCheck={false}
          {...(end !== null && {
            hint: (
              <>
                Ends with <code className="wrap-anywhere">{end}</code>
              </>
            ),
          })}
        />
        <TextField {...field('nftName')} label="NFT Display Name" maxLength={100} />
        <details className="audit-fold" open={problems.grace === undefined ? undefined : true}>
          <summary>More</summary>
          <TextField
            {...field('grace')}
            label="Grace period in minutes"
            inputMode="numeric"
            hint="From the direct message until the role is removed, for members who no longer hold a piece. 1440 is a day; 0 is none."
          />
        </details>
        {/* By its contract: an answer about another one would be believed of this one. */}
        <DryRun
          key={contract}
          guildId={guild.id}
          contract={contract}
          disabled={busy}
          onBegin={forgetProblem}
          onRefused={(error) => refuse(contract, error)}
        />
      </div>
      {problem !== undefined && contractProblem === undefined && (
        <p role="alert" className="field-error mt-4 wrap-anywhere">
          {problem}
        </p>
      )}
      {stale !== null && <StaleVersions what="server's configuration" {...versionsOf(form, guild, stale)} />}
    </FormDialog>
  );
}

/** What was not typed follows the newest version, so that a save undoes nothing of somebody else's that nobody has looked at. */
function useForm(newest: DiscordGuild) {
  const { collectionType } = useSiteConfig();
  const [typed, setTyped] = useState<Partial<ConfigureForm>>({});
  const form = { ...prefilled(newest, collectionType), ...typed };
  return {
    form,
    found: problemsOf(form, newest),
    type: (name: keyof ConfigureForm, text: string) => setTyped({ ...typed, [name]: text }),
  };
}

/** A server without a configuration has the version 0, where the answer is one that has versions at all. */
const versionOf = ({ config, roles }: DiscordGuild): number | null =>
  config === null ? (roles === null ? null : 0) : config.version;

/** POST /api/discord/configure (specification 7). */
function useSave(guild: DiscordGuild, onDone: () => void, onRefused: (nftContract: string, error: unknown) => void) {
  const refresh = useRefreshGuilds();
  return useVersionedChange<DiscordGuild, ConfigureForm>({
    seen: guild,
    schema: discordGuild,
    versionOf,
    call: (form, from) => ({ method: 'POST', path: '/api/discord/configure', body: bodyOf(form, from) }),
    success: { title: 'Guild configured', description: 'Server configuration updated successfully' },
    failure: (message, error, form) => {
      onRefused(contractOf(form, guild), error);
      return { title: 'Failed to configure guild', description: message };
    },
    refresh,
    onDone,
  });
}
