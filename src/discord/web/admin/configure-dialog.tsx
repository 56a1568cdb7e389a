import { type Ref, useRef, useState } from 'react';
import { failureText } from '../../../ui/api/api-client.ts';
import { useVersionedChange, type ShownFields } from '../../../ui/api/versioned-change.tsx';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type DiscordGuild, discordGuild } from './discord-answers.ts';
import { DryRun, isContractRefusal } from './dry-run.tsx';
import { shownServer, channelInWords, graceInWords, roleInWords } from './discord-words.ts';

/** Specification 2, Configure Server dialog; 'Dry run', 'More' and the refusal of a stale save are from rulings R5 and R6. */
export function ConfigureDialog({ guild, onClose }: { readonly guild: DiscordGuild; readonly onClose: () => void }) {
  const { collectionType } = useSiteConfig();
  const [typed, setTyped] = useState<Partial<ConfigureForm>>({});
  const [showsProblems, setShowsProblems] = useState(false);
  const refusal = useContractRefusal();
  const { send, busy, stale, staleNote, problem, forgetProblem } = useConfigure(guild, onClose, refusal.show);
  // Fields not typed in follow the newest version, so that a save does not undo someone else's changes unseen.
  const newest = stale ?? guild;
  const form = { ...prefilled(newest, collectionType), ...typed };
  const formProblems = problemsOf(form, newest);
  const contract = contractOf(form, newest);
  const refusalProblem = refusal.problemOf(contract);
  const save = (): void => {
    setShowsProblems(true);
    refusal.forget();
    if (Object.keys(formProblems).length === 0) send(form);
  };
  return (
    <FormDialog
      title="Configure Server"
      description={<bdi className="font-semibold">{shownServer(guild)}</bdi>}
      onClose={onClose}
      busy={busy}
      saveText="Save Configuration"
      onSave={save}
      problem={refusalProblem === null ? problem : undefined}
      stale={staleNote(changedValuesOf(form, newest))}
    >
      <div className="grid gap-4">
        <ConfigureFields
          form={form}
          problems={{ ...refusalProblem, ...(showsProblems && formProblems) }}
          contract={contract}
          contractField={refusal.field}
          onType={(name, text) => {
            forgetProblem();
            setTyped({ ...typed, [name]: text });
          }}
        />
        {/* Keyed by contract: an answer about another one would be taken for this one's. */}
        <DryRun
          key={contract}
          guildId={guild.id}
          contract={contract}
          disabled={busy}
          onBegin={() => {
            forgetProblem();
            refusal.forget();
          }}
          onRefused={(error) => refusal.show(contract, error)}
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
    onDone,
    what: "server's configuration",
    fieldsOf: shownFields,
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

/** A contract that the server rejected, and why: shown at its field, which takes the focus, until the contract changes. */
function useContractRefusal() {
  const [refused, setRefused] = useState<{ readonly contract: string; readonly reason: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  return {
    field,
    show: (contract: string, error: unknown): void => {
      if (!isContractRefusal(error)) return;
      setRefused({ contract, reason: failureText(error) });
      field.current?.focus();
    },
    forget: () => setRefused(null),
    problemOf: (contract: string) => (refused?.contract === contract ? { nftContract: refused.reason } : null),
  };
}

/** The fields of the Configure Server dialog, as typed; the grace period in minutes. */
type ConfigureForm = Readonly<Record<'nftContract' | 'nftName' | 'grace', string>>;
type FieldProblems = Readonly<Partial<Record<keyof ConfigureForm, string>>>;

/** Specification 3: the default NFT settings of a guild. */
const defaultName = 'Sui Rocks';
/** Thirty days. */
const graceMinutesMax = 43_200;

/** 0 for a server that is not configured. null: not known. */
const graceOf = ({ config }: DiscordGuild): number | null => (config === null ? 0 : config.graceMinutes);

/** Specification 2: pre-filled from the guild's existing config, else from the defaults. */
export const prefilled = (guild: DiscordGuild, collectionType: string): ConfigureForm => ({
  nftContract: guild.config?.nftContract || collectionType,
  nftName: guild.config?.nftName || defaultName,
  grace: String(graceOf(guild) ?? ''),
});

/** Empty: no grace period. null: not a number of minutes that can be saved. */
export function graceMinutesIn(grace: string): number | null {
  const text = grace.trim();
  if (text === '') return 0;
  const minutes = /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
  return minutes > graceMinutesMax ? null : minutes;
}

const shownWhole = 24;

/** '::rocks::Nft': the end that distinguishes two long contracts and that the field cuts off. null: it is short, or has no such end. */
export function endOfContract(contract: string): string | null {
  const [, end] = /^0x[0-9a-f]+(::.+)$/i.exec(contract) ?? [];
  return contract.length <= shownWhole || end === undefined ? null : end;
}

/** Specification 5: contract and name from the form, falling back to the existing config. */
const contractOf = ({ nftContract }: ConfigureForm, { config }: DiscordGuild): string =>
  nftContract.trim() || (config?.nftContract ?? '');
const nameOf = ({ nftName }: ConfigureForm, { config }: DiscordGuild): string =>
  nftName.trim() || (config?.nftName ?? '');

/** A server without a configuration has version 0, if the answer has versions at all. */
function versionOf({ config, roles }: DiscordGuild): number | null {
  if (config !== null) return config.version;
  return roles === null ? null : 0;
}

/** The grace period to save; undefined: it stays as it is. */
function changedGraceOf({ grace }: ConfigureForm, from: DiscordGuild): number | undefined {
  const typed = graceMinutesIn(grace);
  const saved = graceOf(from);
  if (typed === null || typed === saved) return undefined;
  // The saved one is not known, so the field was empty from the start.
  if (saved === null && grace.trim() === '') return undefined;
  return typed;
}

/**
 * POST /api/discord/configure (specification 5 and 7): role and channel come from the existing config, the role defaulting to an
 * empty string. `from` is the newest version that the admin has seen, so that a save of the contract undoes no /setup.
 */
export function bodyOf(form: ConfigureForm, from: DiscordGuild) {
  const graceMinutes = changedGraceOf(form, from);
  return {
    guildId: from.id,
    roleId: from.config?.roleId ?? '',
    channelId: from.config?.channelId ?? undefined,
    nftContract: contractOf(form, from),
    nftName: nameOf(form, from),
    ...(graceMinutes !== undefined && { graceMinutes }),
  };
}

export const problemsOf = (form: ConfigureForm, guild: DiscordGuild): FieldProblems => ({
  ...(contractOf(form, guild) === '' ? { nftContract: 'Required' } : {}),
  ...(nameOf(form, guild) === '' ? { nftName: 'Required' } : {}),
  ...(graceMinutesIn(form.grace) === null ? { grace: 'Enter whole minutes from 0 to 43,200 (30 days).' } : {}),
});

export const shownFields = (guild: DiscordGuild): ShownFields => ({
  'NFT contract': guild.config?.nftContract ?? '',
  'Display name': guild.config?.nftName ?? '',
  'Grace period': typeof guild.config?.graceMinutes === 'number' ? graceInWords(guild.config.graceMinutes) : '',
  Role: guild.config === null ? '' : roleInWords(guild).text,
  Channel: guild.config === null ? '' : channelInWords(guild).text,
});

/** Only the typed values that differ from what is saved now. */
export function changedValuesOf(form: ConfigureForm, now: DiscordGuild): ShownFields {
  const saved = shownFields(now);
  const mine = {
    'NFT contract': contractOf(form, now),
    'Display name': nameOf(form, now),
    'Grace period': graceInWords(graceMinutesIn(form.grace) ?? 0),
  };
  return Object.fromEntries(Object.entries(mine).filter(([field, text]) => text !== saved[field]));
}
