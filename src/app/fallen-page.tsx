/** What to do when a page's code could not be loaded or failed. */
export function FallenPage() {
  return (
    <section className="wrap py-24 text-center" role="alert">
      <h1 className="title-2">A rock fell on this page</h1>
      <p className="mt-4 text-quiet">It could not be shown. Load it again; nothing of yours was lost.</p>
      <button type="button" className="button button-torch mt-8" onClick={() => window.location.reload()}>
        Load again
      </button>
    </section>
  );
}
