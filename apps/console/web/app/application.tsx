import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { queryClient } from '../api/query-client';
import { PolicyProvider } from '../ui/policy-provider';
import { router } from './router';

export function Application(): ReactElement {
  return (
    <PolicyProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </PolicyProvider>
  );
}
