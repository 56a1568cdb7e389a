import { Spinner } from '../../ui/button.tsx';

/** Specification 2: a spinner while the session user is loading. It is also what is prerendered of the admin area. */
export function CheckingSession() {
  return (
    <section className="wrap grid min-h-[60dvh] place-items-center py-16 text-center">
      <output className="needs-script flex items-center gap-3 text-quiet">
        <Spinner className="size-8 text-ember" />
        Checking who you are
      </output>
      <noscript>
        <p>The admin area needs JavaScript.</p>
      </noscript>
    </section>
  );
}
