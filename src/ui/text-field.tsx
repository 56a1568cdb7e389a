import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  /** What is expected, before anything is wrong. */
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** At the end of the box, e.g. a button that shows the password. */
  readonly end?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
  readonly onText?: (text: string) => void;
}

/**
 * A labelled input whose hint and error are read out with it. What `register()` of react-hook-form answers can be spread
 * into it.
 */
export function TextField({ label, hint, error, end, onText, className = '', ...rest }: TextFieldProps) {
  const inputId = useId();
  const [hintId, errorId] = [`${inputId}-hint`, `${inputId}-error`];
  const describedBy = [...(hint === undefined ? [] : [hintId]), ...(error === undefined ? [] : [errorId])].join(' ');
  return (
    <div className={`field ${className}`}>
      <label htmlFor={inputId} className="field-label">
        {label}
      </label>
      <div className={`slab field-box${error === undefined ? '' : ' field-wrong'}`}>
        <input
          {...rest}
          {...(onText !== undefined && { onChange: ({ target }) => onText(target.value) })}
          id={inputId}
          className="field-input"
          {...(describedBy !== '' && { 'aria-describedby': describedBy })}
          {...(error !== undefined && { 'aria-invalid': true })}
        />
        {end}
      </div>
      {hint !== undefined && (
        <p id={hintId} className="field-hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
