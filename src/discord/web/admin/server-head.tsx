import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';

interface ServerHeadProps {
  readonly id: string;
  /** Whither 'back' leads. */
  readonly backText: string;
  readonly onBack: () => void;
  readonly children: ReactNode;
  /** The keyboard goes on at the heading, unless it has a better place. */
  readonly takesFocus?: boolean;
  /** Buttons beside the heading. */
  readonly end?: ReactNode;
}

/** The head of a view of one server or member: the way back, and the heading, which takes the focus. */
export function ServerHead({ id, backText, onBack, children, takesFocus = true, end }: ServerHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const tookFocus = useRef(!takesFocus);
  useEffect(() => {
    if (!tookFocus.current) heading.current?.focus();
    tookFocus.current = true;
  }, []);
  return (
    <>
      <Button size="small" look="ghost" className="-ml-4" onClick={onBack}>
        <span aria-hidden="true">&larr;</span> {backText}
      </Button>
      <div className="mt-2 mb-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <h2 id={id} ref={heading} tabIndex={-1} className="title-3 min-w-0 flex-1 basis-72 wrap-anywhere outline-none">
          {children}
        </h2>
        {end}
      </div>
    </>
  );
}
