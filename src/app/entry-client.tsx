import './styles/main.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { App } from './app.tsx';
import { createPages, notFoundMark } from './pages.tsx';
import { readSiteConfig } from '../ui/server-written.tsx';

// zod would compile its schemas with `new Function`, which the content policy refuses and the browser reports as an error.
z.config({ jitless: true });
// Specification 2: pages open at their top, even when they are reloaded.
history.scrollRestoration = 'manual';
// The address of a rock that is not minted looks valid; only the server knows.
const isNotFound = document.querySelector(`meta[name='${notFoundMark}']`) !== null;
const pages = createPages(isNotFound ? window.location.pathname : undefined);
// Hydrates even if the page's code failed to load: the page then says so, instead of 'Loading...' forever.
await pages.load(window.location.pathname).catch(() => {});
// As a transition, hydration yields to the visitor's clicks and scrolls instead of holding the page still.
startTransition(() => {
  hydrateRoot(
    document.querySelector('#root') ?? document.body,
    <App pages={pages} siteConfig={readSiteConfig(document)} />,
  );
  // An element focused before hydration gets its event now; React queues the event until that part is hydrated.
  document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
});
