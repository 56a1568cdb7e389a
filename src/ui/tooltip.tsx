import { type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface TooltipProps {
  /** The content explained; it becomes a button for pointer, touch and keyboard. */
  readonly children: ReactNode;
  readonly text: ReactNode;
}

/**
 * A short explanation on hover, focus or tap. It stays while the pointer is on it and goes with Escape (WCAG 1.4.13).
 * By hand rather than from a library: one explanation on one page does not pay for 15 kB of positioning.
 */
export function Tooltip({ children, text }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const whole = useRef<HTMLSpanElement>(null);
  const hide = () => setOpen(false);
  const hideUnlessInside = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && whole.current?.contains(relatedTarget))) hide();
  };
  return (
    <span
      ref={whole}
      onPointerEnter={(event) => event.pointerType !== 'touch' && setOpen(true)}
      onPointerLeave={(event) => event.pointerType !== 'touch' && hide()}
      onBlur={hideUnlessInside}
    >
      <button
        type="button"
        className="explained"
        onFocus={() => setOpen(true)}
        // Touch has no other way to open it.
        onClick={() => setOpen(true)}
        {...(open ? { 'aria-describedby': id } : {})}
      >
        {children}
      </button>
      {open && (
        <Explanation id={id} whole={whole} onHide={hide}>
          {text}
        </Explanation>
      )}
    </span>
  );
}

interface ExplanationProps {
  readonly id: string;
  readonly whole: React.RefObject<HTMLElement | null>;
  readonly onHide: () => void;
  readonly children: ReactNode;
}

/** In the browser's top layer, so that no scrolling table clips it. */
function Explanation({ id, whole, onHide, children }: ExplanationProps) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (box.current === null || whole.current === null) return;
    // Safari before 17 and Chrome before 114 have no popovers: there it is only positioned.
    if ('showPopover' in box.current) box.current.showPopover();
    placeAt(box.current, whole.current.getBoundingClientRect());
  }, [whole]);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && onHide();
    const onPress = ({ target }: Event) => !(target instanceof Node && whole.current?.contains(target)) && onHide();
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('pointerdown', onPress, { signal });
    // It does not scroll along with its button, so it closes.
    document.addEventListener('scroll', onHide, { signal, capture: true, passive: true });
    return () => ending.abort();
  }, [whole, onHide]);
  return (
    <span ref={box} id={id} role="tooltip" popover="manual" className="tooltip tooltip-floating">
      {children}
    </span>
  );
}

const edgePx = 12;

/** Above what is explained, or below it where there is no room; never over the edge of the screen. */
function placeAt(box: HTMLElement, explained: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const middle = explained.left + explained.width / 2 - width / 2;
  const rightmost = document.documentElement.clientWidth - width - edgePx;
  const above = explained.top - height;
  box.style.left = `${Math.max(edgePx, Math.min(middle, rightmost))}px`;
  box.style.top = `${above >= edgePx ? above : explained.bottom}px`;
}
