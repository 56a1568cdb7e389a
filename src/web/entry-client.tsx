import './styles/main.css';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createPages, pageAt } from './pages.tsx';
import { createQueryClient } from './query-client.ts';
import { readSiteConfig } from './site-config-context.tsx';

const pages = createPages();
await pages.load(pageAt(window.location.pathname));
hydrateRoot(
  document.querySelector('#root') ?? document.body,
  <App pages={pages} siteConfig={readSiteConfig(document)} queryClient={createQueryClient()} />,
);
