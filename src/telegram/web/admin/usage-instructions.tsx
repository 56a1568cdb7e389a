import { Card } from '../../../ui/card.tsx';
import { setupProcess, usageCommands } from './usage-texts.ts';

/** Specification 2: the usage-instructions card, commands and setup process. */
export function UsageInstructions() {
  return (
    <Card as="section" aria-labelledby="telegram-usage">
      <h2 id="telegram-usage" className="title-3">
        Usage Instructions
      </h2>
      <h3 className="mt-5 font-bold">Commands</h3>
      <dl className="mt-2" aria-label="Commands">
        {usageCommands.map(({ name, text }) => (
          <div key={name} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 border-t border-line py-2">
            <dt>
              <code className="font-bold">{name}</code>
            </dt>
            <dd className="text-quiet">{text}</dd>
          </div>
        ))}
      </dl>
      <h3 id="telegram-setup" className="mt-6 font-bold">
        Setup process
      </h3>
      <ol
        className="mt-2 list-decimal space-y-2 pl-6 marker:font-bold marker:text-ember"
        aria-labelledby="telegram-setup"
      >
        {setupProcess.map(({ title, text }) => (
          <li key={title} className="pl-1">
            <span className="font-semibold">{title}.</span> <span className="text-quiet">{text}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
