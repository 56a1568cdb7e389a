import type { Ref } from 'react';
import { TextField } from '../../../ui/text-field.tsx';
import { type ConfigureForm, endOfContract, type FieldProblems } from './configure-values.ts';

interface ConfigureFieldsProps {
  readonly form: ConfigureForm;
  readonly problems: FieldProblems;
  /** As it would be saved. */
  readonly contract: string;
  readonly contractField: Ref<HTMLInputElement>;
  readonly onType: (name: keyof ConfigureForm, text: string) => void;
}

/** Specification 2: NFT Contract and NFT Display Name; the grace period is from rulings R5. */
export function ConfigureFields({ form, problems, contract, contractField, onType }: ConfigureFieldsProps) {
  const field = (name: keyof ConfigureForm) => ({
    value: form[name],
    error: problems[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onType(name, target.value),
  });
  const end = endOfContract(contract);
  return (
    <>
      <TextField
        {...field('nftContract')}
        ref={contractField}
        label="NFT Contract"
        placeholder="0x12345::module::Type"
        spellCheck={false}
        hint={end === null ? undefined : <EndsWith text={end} />}
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

const EndsWith = ({ text }: { readonly text: string }) => (
  <>
    Ends with <code className="wrap-anywhere">{text}</code>
  </>
);
