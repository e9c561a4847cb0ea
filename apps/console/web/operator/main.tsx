import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client';
import { applyPreferences } from '../browser/preferences';
import { PolicyProvider } from '../ui/policy-provider';
import { router } from './app/router';
import { signOut } from './session/sign-out';
import '../theme/theme.css';

applyPreferences();
// A page that a browser keeps to come back to would keep the token, too.
window.addEventListener('pagehide', signOut);
const element = document.getElementById('root');
if (element === null) throw new Error('The page has no root.');
createRoot(element).render(
  <PolicyProvider>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </PolicyProvider>,
);
