import { useState } from 'react';
import { useSiteConfig } from '../../../web/site-config-context.tsx';
import { FormDialog } from '../../../web/ui/form-dialog.tsx';
import { StaleVersions } from '../../../web/ui/stale-versions.tsx';
import { TextField } from '../../../web/ui/text-field.tsx';
import { useVersionedChange } from '../../../web/use-versioned-change.ts';
import type { DiscordGuild } from '../../contract.ts';
import { bodyOf, type ConfigureForm, contractOf, prefilled, problemsOf, versionsOf } from './configure-values.ts';
import { useRefreshGuilds } from './discord-calls.ts';
import { DryRun } from './dry-run.tsx';
import { shownServer } from './server-words.ts';

interface ConfigureDialogProps {
  /** As it was when the dialog opened. */
  readonly guild: DiscordGuild;
  readonly onClose: () => void;
}

/** Specification 2, Configure Server dialog; 'Dry run', 'More' and the refusal of a stale save are from rulings R5 and R6. */
export function ConfigureDialog({ guild, onClose }: ConfigureDialogProps) {
  const { send, busy, stale, problem, forgetProblem } = useSave(guild, onClose);
  const { form, found, type } = useForm(stale ?? guild);
  const [showsProblems, setShowsProblems] = useState(false);
  const problems = showsProblems ? found : {};
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
  const contract = contractOf(form, stale ?? guild);
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
          label="NFT Contract"
          placeholder="0x12345::module::Type"
          spellCheck={false}
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
        <DryRun key={contract} guildId={guild.id} contract={contract} disabled={busy} onBegin={forgetProblem} />
      </div>
      {problem !== undefined && (
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

/** POST /api/discord/configure (specification 7). A server without a configuration has the version 0. */
function useSave(guild: DiscordGuild, onDone: () => void) {
  const refresh = useRefreshGuilds();
  return useVersionedChange<DiscordGuild, ConfigureForm>({
    seen: guild,
    versionOf: ({ config }) => config?.version ?? 0,
    call: (form, from) => ({ method: 'POST', path: '/api/discord/configure', body: bodyOf(form, from) }),
    success: { title: 'Guild configured', description: 'Server configuration updated successfully' },
    failure: (message) => ({ title: 'Failed to configure guild', description: message }),
    refresh,
    onDone,
  });
}
