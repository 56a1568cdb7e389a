import * as Radix from '@radix-ui/react-dialog';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { type ApiMutation, useApiMutation } from './api/use-answer.ts';
import { Button, type ButtonLook, type ButtonProps } from './button.tsx';
import { Problem } from './placeholders.tsx';
import { SectionBoundary } from './section-boundary.tsx';
import { KeptForm } from './text-field.tsx';

interface DialogProps {
  /** Called on Escape and by its close button; not while `busy`. */
  readonly onClose: () => void;
  readonly title: string;
  /** Under the title, read out with it. */
  readonly description?: ReactNode;
  /** Something is under way that closing would hide. */
  readonly busy?: boolean;
  /** It waits for an answer: only Escape and the buttons among its children close it. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page: focus goes in, stays in and returns. The veil is our own element, because the library's locks scrolling
 * through a style element, which the pages' content security policy refuses; the style sheet locks it instead.
 */
export function Dialog({ onClose, title, description, busy = false, isAlert = false, children }: DialogProps) {
  const focus = useFocusReturn();
  return (
    <Radix.Root open onOpenChange={(next) => !next && !busy && onClose()}>
      <Radix.Portal>
        <div className="dialog-veil" />
        <Radix.Content
          className={`slab dialog${isAlert ? ' dialog-alert' : ''}`}
          role={isAlert ? 'alertdialog' : 'dialog'}
          // The library hides the page from screen readers and keeps the focus inside, but does not set this.
          aria-modal
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          // A stray tap would throw away what was typed.
          onInteractOutside={(event) => event.preventDefault()}
          // In a window lower than the dialog, the library moves the focus to a field without showing it. A press moves nothing.
          onFocus={({ target }) => target.matches(':focus-visible') && target.scrollIntoView({ block: 'nearest' })}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="relative max-h-[calc(100dvh-2rem)] overflow-y-auto overscroll-contain p-6">
            <Radix.Title className={`title-3${isAlert ? '' : ' pr-10'}`}>{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="mt-2 text-quiet wrap-anywhere">{description}</div>
              </Radix.Description>
            )}
            {children}
            {!isAlert && (
              <Radix.Close
                className="absolute top-3.5 right-3.5 size-11 cursor-pointer p-3.5"
                aria-label="Close"
                disabled={busy}
              >
                <svg viewBox="0 0 12 12" aria-hidden="true">
                  <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.6" />
                </svg>
              </Radix.Close>
            )}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface DialogActionsProps {
  readonly busy: boolean;
  readonly problem?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const DialogActions = ({ busy, problem, onClose, children }: DialogActionsProps) => (
  <>
    <Problem className="field-error mt-4">{problem}</Problem>
    <div className="mt-7 flex flex-wrap justify-end gap-3">
      <Button size="small" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      {children}
    </div>
  </>
);

interface AlertDialogProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Names the action: 'Delete', never 'OK'. */
  readonly confirmText: string;
  readonly confirmLook?: ButtonLook;
  /** The dialog stays open until its caller closes it. */
  readonly change: {
    /** With null: there is nothing to send. */
    readonly send: (nothing: null) => void;
    readonly busy: boolean;
    readonly problem: string | undefined;
    readonly staleNote?: () => ReactNode;
  };
}

/** Confirms a destructive action; 'Cancel' has the focus. */
export function AlertDialog(props: AlertDialogProps) {
  const { onClose, title, children, confirmText, confirmLook = 'danger', change } = props;
  const { busy, problem, send } = change;
  const stale = change.staleNote?.();
  const description = (
    <>
      {children}
      {stale}
    </>
  );
  return (
    <Dialog isAlert onClose={onClose} busy={busy} title={title} description={description}>
      <DialogActions busy={busy} problem={problem} onClose={onClose}>
        <Button look={confirmLook} size="small" busy={busy} onClick={() => send(null)}>
          {stale === undefined ? confirmText : `${confirmText} anyway`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ConfirmDialogProps extends Omit<AlertDialogProps, 'change'> {
  readonly change: ApiMutation<null>;
}

/** Confirms one call, and closes when it has succeeded. */
function ConfirmDialog({ change, ...rest }: ConfirmDialogProps) {
  const onDone = (answer: unknown): void => {
    change.onDone?.(answer, null);
    rest.onClose();
  };
  return <AlertDialog {...rest} change={useApiMutation({ ...change, onDone })} />;
}

interface FormDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly onClose: () => void;
  readonly busy: boolean;
  readonly saveText: string;
  readonly onSave: () => void;
  /** What went wrong at the last attempt, where no field says it. */
  readonly problem?: string | undefined;
  /** Both versions, when another admin has saved meanwhile: saving again overwrites theirs. */
  readonly stale?: ReactNode;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, description, onClose, busy, saveText, onSave, problem, stale, children } = props;
  return (
    <Dialog onClose={onClose} busy={busy} title={title} description={description}>
      <KeptForm className="mt-5" onSend={onSave}>
        {children}
        {stale}
        <DialogActions busy={busy} problem={problem} onClose={onClose}>
          <Button type="submit" look="torch" size="small" busy={busy}>
            {stale === undefined ? saveText : 'Save mine'}
          </Button>
        </DialogActions>
      </KeptForm>
    </Dialog>
  );
}

type ShowDialog = (onClose: () => void) => ReactNode;

const DialogContext = createContext<(show: ShowDialog) => void>(() => {});

/** Holds the dialog that a button inside opens. A dialog outlives its button, whose row another admin may remove. */
export function DialogHost({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState<{ readonly dialog: ReactNode; readonly at: string } | null>(null);
  const at = useSearch();
  // Another address, as after the back button, leaves what the dialog is about.
  if (opened !== null && opened.at !== at) setOpened(null);
  const open = useCallback(
    (show: ShowDialog) => {
      // A dialog closes only itself: its call may end while another dialog is open.
      const own = { dialog: show(() => setOpened((now) => (now === own ? null : now))), at };
      setOpened(own);
    },
    [at],
  );
  return (
    <DialogContext value={open}>
      {children}
      <SectionBoundary name="The dialog">{opened?.dialog}</SectionBoundary>
    </DialogContext>
  );
}

interface DialogButtonProps extends Omit<ButtonProps, 'children' | 'onClick'> {
  readonly text: string;
  readonly children: ShowDialog;
}

/** Opens a dialog about its row as it was when pressed: reloading a list does not change what is being typed. */
export function DialogButton({ text, children, ...rest }: DialogButtonProps) {
  const open = useContext(DialogContext);
  return (
    <Button size="small" {...rest} onClick={() => open(children)}>
      {text}
    </Button>
  );
}

interface ConfirmButtonProps
  extends Omit<DialogButtonProps, 'children'>, Pick<ConfirmDialogProps, 'children' | 'confirmLook' | 'change'> {
  readonly dialogTitle: string;
  /** Left out: the text of the button. */
  readonly confirmText?: string;
}

/** Asks before one call. */
export function ConfirmButton({ dialogTitle: title, change, children, ...rest }: ConfirmButtonProps) {
  const { confirmText = rest.text, confirmLook = 'danger', ...button } = rest;
  const ofDialog = { title, confirmText, confirmLook, change, children };
  return <DialogButton {...button}>{(onClose) => <ConfirmDialog {...ofDialog} onClose={onClose} />}</DialogButton>;
}

/** A dialog opened by state has no library trigger to return the focus to, so the element that had it gets it back. */
function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      remember: () => {
        before.current = document.activeElement;
      },
      giveBack: (event: Event) => {
        event.preventDefault();
        const target = before.current;
        // The button that opened the dialog may be gone with its row.
        const next = target instanceof HTMLElement && target.isConnected ? target : document.querySelector('#main');
        if (next instanceof HTMLElement) next.focus();
      },
    }),
    [],
  );
}
