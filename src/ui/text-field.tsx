import {
  type FormHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type SubmitEvent,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { hasUnsaved, mayLeaveForm } from './links.tsx';

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  /** Called with the values of the fields that have a name. */
  readonly onSend: (typed: Readonly<Record<string, string>>) => void;
}

/** The browser's validation is off: we have our own messages. The first invalid field takes the focus. */
export function Form({ onSend, ...rest }: FormProps) {
  const send = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']);
    flushSync(() => onSend(Object.fromEntries(typed)));
    form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };
  return <form noValidate {...rest} onSubmit={send} />;
}

/**
 * A form whose text must not be lost unasked: until it is closed, the browser asks before the page is left, also with 'Back'. What else moves
 * inside the page (links, tabs) loads a new one instead, and the end of the session leaves the form open (src/accounts/web/session.tsx).
 */
export function KeptForm(props: FormProps) {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved()) event.preventDefault();
    };
    // 'Back' stays inside the page, and older browsers let no page prevent it.
    const askBack = (event: NavigateEvent): void => {
      if (event.cancelable && event.navigationType === 'traverse' && !mayLeaveForm()) event.preventDefault();
    };
    const history = 'navigation' in window ? window.navigation : null;
    window.addEventListener('beforeunload', ask);
    history?.addEventListener('navigate', askBack);
    return () => {
      window.removeEventListener('beforeunload', ask);
      history?.removeEventListener('navigate', askBack);
    };
  }, []);
  return <Form {...props} onInput={({ currentTarget }) => currentTarget.setAttribute('data-typed', '')} />;
}

interface FieldWords {
  readonly label: string;
  /** What to enter, shown before anything is wrong. */
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

interface FieldProps extends FieldWords {
  /** At the end of the box, e.g. a button that shows the password. */
  readonly end?: ReactNode;
  readonly className?: string | undefined;
  /** Renders the control; `props` connect it to its label, hint and error. */
  readonly children: (props: object) => ReactNode;
}

/** A labelled box whose hint and error are read out with its value. */
function Field({ label, hint, error, end, className = '', children }: FieldProps) {
  const inputId = useId();
  const hintId = `${inputId}-hint`;
  const errorId = `${inputId}-error`;
  const describedBy = [...(hint === undefined ? [] : [hintId]), ...(error === undefined ? [] : [errorId])].join(' ');
  return (
    <div className={`field ${className}`}>
      <label htmlFor={inputId} className="mb-1.5 block text-[0.9375rem] font-semibold">
        {label}
      </label>
      <div className={`slab field-box${error === undefined ? '' : ' field-wrong'}`}>
        {children({
          id: inputId,
          className: 'field-input',
          ...(describedBy !== '' && { 'aria-describedby': describedBy }),
          ...(error !== undefined && { 'aria-invalid': true }),
        })}
        {end}
      </div>
      {hint !== undefined && (
        <p id={hintId} className="mt-1.5 text-[0.875rem] text-quiet">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} role="alert" className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement>, FieldWords {
  readonly end?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
  readonly onText?: (text: string) => void;
}

export const TextField = ({ label, hint, error, end, onText, className, ...rest }: TextFieldProps) => (
  <Field {...{ label, hint, error, end, className }}>
    {(props) => (
      <input {...rest} {...(onText !== undefined && { onChange: ({ target }) => onText(target.value) })} {...props} />
    )}
  </Field>
);

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement>, FieldWords {
  readonly onText?: (text: string) => void;
}

export const TextArea = ({ label, hint, error, onText, className, ...rest }: TextAreaProps) => (
  <Field {...{ label, hint, error, className }}>
    {(props) => (
      <textarea
        rows={3}
        {...rest}
        {...(onText !== undefined && { onChange: ({ target }) => onText(target.value) })}
        {...props}
      />
    )}
  </Field>
);

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement>, FieldWords {
  readonly value: string;
  /** Visible texts by value, in this order. */
  readonly options: Readonly<Record<string, string>>;
  readonly onText: (value: string) => void;
}

export const SelectField = ({ label, hint, error, options, onText, className, ...rest }: SelectFieldProps) => (
  <Field {...{ label, hint, error, className }}>
    {(props) => (
      <select {...rest} onChange={({ target }) => onText(target.value)} {...props}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckFieldProps {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly hint?: string | null;
}

export function CheckField({ label, checked, disabled = false, onCheck, hint = null }: CheckFieldProps) {
  const hintId = useId();
  return (
    <>
      <label className="inline-flex min-h-11 items-center gap-2.5 font-semibold">
        <input
          type="checkbox"
          className="size-[1.375rem] accent-link outline-ember focus-visible:outline-3 focus-visible:outline-offset-3"
          checked={checked}
          disabled={disabled}
          {...(hint !== null && { 'aria-describedby': hintId })}
          onChange={({ target }) => onCheck(target.checked)}
        />
        <span className="min-w-0 wrap-anywhere">{label}</span>
      </label>
      {hint !== null && (
        <p id={hintId} className="ml-8 text-sm text-quiet">
          {hint}
        </p>
      )}
    </>
  );
}

type Fields = Readonly<Record<string, string>>;

/** The values of a form, and what `check` found wrong with them at the last attempt to save. */
export function useFields<Form extends Fields>(
  initial: Form,
  check: (form: Form) => { readonly [Name in keyof Form]?: string | undefined },
) {
  const [form, setForm] = useState(initial);
  const [problems, setProblems] = useState<ReturnType<typeof check>>({});
  return {
    form,
    field: (name: keyof Form & string) => ({
      value: form[name],
      error: problems[name],
      autoComplete: 'off',
      onText: (text: string) => {
        setForm({ ...form, [name]: text });
        setProblems({ ...problems, [name]: undefined });
      },
    }),
    /** Calls `send` only if nothing is wrong. */
    save: (send: (form: Form) => void): void => {
      const found = check(form);
      setProblems(found);
      if (Object.values(found).every((problem) => problem === undefined)) send(form);
    },
  };
}

const settledAfterMs = 300;

/** The text after a pause in typing: one request per thought, not per key. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
