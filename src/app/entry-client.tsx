import './styles/main.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { App } from './app.tsx';
import { notFoundMark } from './page-heads.ts';
import { createPages } from './pages.tsx';
import { readSiteConfig } from '../ui/server-written.tsx';

// zod would compile its schemas with `new Function`, which the content policy refuses and the browser reports as an error.
z.config({ jitless: true });
// Specification 2: pages open at their top, also when they are loaded again.
history.scrollRestoration = 'manual';
// A rock's address is in order, and yet the rock may not be minted: the server knows.
const isNotFound = document.querySelector(`meta[name='${notFoundMark}']`) !== null;
const pages = createPages(isNotFound ? window.location.pathname : undefined);
// Without its code the page would say 'Loading...' for ever: come alive, it says that it is lost.
await pages.load(window.location.pathname).catch(() => {});
// As a transition, hydration yields to the visitor's clicks and scrolls instead of holding the page still.
startTransition(() => {
  hydrateRoot(
    document.querySelector('#root') ?? document.body,
    <App pages={pages} siteConfig={readSiteConfig(document)} />,
  );
  // What was focused before anything listened learns of it now; React keeps the event until that part is alive.
  document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
});
