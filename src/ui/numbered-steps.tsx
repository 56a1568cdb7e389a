interface NumberedStepsProps {
  readonly steps: readonly { readonly title: string; readonly text: string; readonly command?: string | null }[];
}

/** A way in a few steps, each under a large number. */
export const NumberedSteps = ({ steps }: NumberedStepsProps) => (
  <ol className="mt-8 grid gap-x-8 gap-y-10 md:grid-cols-2">
    {steps.map(({ title, text, command = null }, index) => (
      <li key={title} className="grid grid-cols-[2.5rem_1fr] gap-x-4">
        <span className="title-2 text-ember" aria-hidden="true">
          {index + 1}
        </span>
        <div className="min-w-0">
          <h3 className="title-3 pt-2">{title}</h3>
          <p className="mt-2 text-quiet">{text}</p>
          {command !== null && <code className="mt-3 inline-block bg-raised px-3 py-1.5 wrap-anywhere">{command}</code>}
        </div>
      </li>
    ))}
  </ol>
);
