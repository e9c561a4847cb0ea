import { CSPProvider } from '@base-ui/react/csp-provider';
import { type ReactElement, type ReactNode } from 'react';

/** The console's content security policy forbids style elements; what they would say is in our own style sheets. */
export function PolicyProvider({ children }: { readonly children: ReactNode }): ReactElement {
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
