import { type ReactElement, type ReactNode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error';
import { readSession, refreshSession } from './api/transport';
import { Application } from './app/application';
import './app/first-page';
import { router } from './app/router';
import { applyPreferences } from './browser/preferences';
import { keepSessionFresh } from './session/keep-fresh';
import { loginAddress } from './session/login-address';
import { followOtherTabs } from './session/other-tabs';
import { sessionStore } from './session/session-store';
import { ErrorState } from './ui/states/states';
import './theme/theme.css';

applyPreferences();
const element = document.getElementById('root');
if (element === null) throw new Error('The page has no root.');
const root = createRoot(element);

const DRAWN_AFTER_MS = 150;
const waited = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Without a session there is no console: the login page comes back here. */
async function start(): Promise<void> {
  try {
    sessionStore.begin(await readSession());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) window.location.replace(loginAddress());
    else root.render(<Alone>{<ErrorState error={error as Error} onRetry={() => void start()} />}</Alone>);
    return;
  }
  keepSessionFresh(refreshSession);
  followOtherTabs(refreshSession);
  // The page's code and what it reads are on their way before anything is drawn. The page tells what failed.
  const loaded = router.load().catch(() => undefined);
  // A change of the router has everything drawn at once, so they come first; a slow line is not waited for.
  await Promise.race([loaded, waited(DRAWN_AFTER_MS)]);
  // In slices, between which the browser answers.
  startTransition(() => root.render(<Application />));
}

function Alone({ children }: { readonly children: ReactNode }): ReactElement {
  return <main>{children}</main>;
}

void start();
