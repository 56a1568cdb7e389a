import { type Ref, useRef, useState } from 'react';
import { failureText } from '../../../ui/api/api-client.ts';
import { StaleVersions, useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import {
  bodyOf,
  type ConfigureForm,
  contractOf,
  endOfContract,
  type FieldProblems,
  isContractRefusal,
  prefilled,
  problemsOf,
  versionOf,
  versionsOf,
} from './configure-values.ts';
import { type DiscordGuild, discordGuild } from './discord-answers.ts';
import { useRefreshGuilds } from './discord-calls.ts';
import { DryRun } from './dry-run.tsx';
import { shownServer } from './discord-words.ts';

/** Specification 2, Configure Server dialog; 'Dry run', 'More' and the refusal of a stale save are from rulings R5 and R6. */
export function ConfigureDialog({ guild, onClose }: { readonly guild: DiscordGuild; readonly onClose: () => void }) {
  const { collectionType } = useSiteConfig();
  const [typed, setTyped] = useState<Partial<ConfigureForm>>({});
  const [showsProblems, setShowsProblems] = useState(false);
  const refusal = useContractRefusal();
  const { send, busy, stale, problem, forgetProblem } = useConfigure(guild, onClose, refusal.take);
  // Fields not typed in follow the newest version, so that a save does not undo someone else's changes unseen.
  const newest = stale ?? guild;
  const form = { ...prefilled(newest, collectionType), ...typed };
  const found = problemsOf(form, newest);
  const contract = contractOf(form, newest);
  const refused = refusal.of(contract);
  const save = (): void => {
    setShowsProblems(true);
    refusal.forget();
    if (Object.keys(found).length === 0) send(form);
  };
  return (
    <FormDialog
      title="Configure Server"
      description={<bdi className="font-semibold">{shownServer(guild)}</bdi>}
      onClose={onClose}
      busy={busy}
      saveText="Save Configuration"
      onSave={save}
      problem={refused === null ? problem : undefined}
      stale={stale !== null && <StaleVersions what="server's configuration" {...versionsOf(form, guild, stale)} />}
    >
      <div className="grid gap-4">
        <ConfigureFields
          form={form}
          problems={{ ...refused, ...(showsProblems && found) }}
          contract={contract}
          contractField={refusal.field}
          onType={(name, text) => {
            forgetProblem();
            setTyped({ ...typed, [name]: text });
          }}
        />
        {/* By its contract: an answer about another one would be believed of this one. */}
        <DryRun
          key={contract}
          guildId={guild.id}
          contract={contract}
          disabled={busy}
          onBegin={() => {
            forgetProblem();
            refusal.forget();
          }}
          onRefused={(error) => refusal.take(contract, error)}
        />
      </div>
    </FormDialog>
  );
}

/** POST /api/discord/configure (specification 7). */
const useConfigure = (guild: DiscordGuild, onDone: () => void, onRefused: (contract: string, error: unknown) => void) =>
  useVersionedChange<DiscordGuild, ConfigureForm>({
    seen: guild,
    schema: discordGuild,
    versionOf,
    call: (values, from) => ({ method: 'POST', path: '/api/discord/configure', body: bodyOf(values, from) }),
    success: { title: 'Guild configured', description: 'Server configuration updated successfully' },
    failure: (message, error, values) => {
      onRefused(contractOf(values, guild), error);
      return { title: 'Failed to configure guild', description: message };
    },
    refresh: useRefreshGuilds(),
    onDone,
  });

interface ConfigureFieldsProps {
  readonly form: ConfigureForm;
  readonly problems: FieldProblems;
  readonly contract: string;
  readonly contractField: Ref<HTMLInputElement>;
  readonly onType: (name: keyof ConfigureForm, text: string) => void;
}

/** Specification 2: NFT Contract and NFT Display Name; the grace period is from rulings R5. */
function ConfigureFields({ form, problems, contract, contractField, onType }: ConfigureFieldsProps) {
  const field = (name: keyof ConfigureForm) => ({
    value: form[name],
    error: problems[name],
    autoComplete: 'off',
    onText: (text: string) => onType(name, text),
  });
  const end = endOfContract(contract);
  const endHint = (
    <>
      Ends with <code className="wrap-anywhere">{end}</code>
    </>
  );
  return (
    <>
      <TextField
        {...field('nftContract')}
        ref={contractField}
        label="NFT Contract"
        placeholder="0x12345::module::Type"
        spellCheck={false}
        hint={end === null ? undefined : endHint}
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
    </>
  );
}

/** A contract that the server rejected, and why: shown at its field, which takes the focus, until it changes. */
function useContractRefusal() {
  const [refused, setRefused] = useState<{ readonly contract: string; readonly reason: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  return {
    field,
    take: (contract: string, error: unknown): void => {
      if (!isContractRefusal(error)) return;
      setRefused({ contract, reason: failureText(error) });
      field.current?.focus();
    },
    forget: () => setRefused(null),
    of: (contract: string) => (refused?.contract === contract ? { nftContract: refused.reason } : null),
  };
}
