import * as Radix from '@radix-ui/react-tooltip';
import { type ReactNode, useState } from 'react';

export interface TooltipProps {
  /** What is explained; it becomes a button that pointer, finger and keyboard can reach. */
  readonly children: ReactNode;
  readonly text: ReactNode;
  readonly className?: string;
}

/** A short explanation on hover, focus or tap. */
export function Tooltip({ children, text, className = 'explained' }: TooltipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Provider delayDuration={200}>
      <Radix.Root open={open} onOpenChange={setOpen}>
        <Radix.Trigger
          type="button"
          className={className}
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            // Radix closes on a press; a finger has no other way to open.
            event.preventDefault();
            setOpen(true);
          }}
        >
          {children}
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="tooltip" sideOffset={6} collisionPadding={12}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
