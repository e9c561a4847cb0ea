import { CSPProvider } from '@base-ui/react/csp-provider';
import { type ReactElement, type ReactNode, useEffect } from 'react';

const GUARD = '[data-base-ui-focus-guard][aria-hidden]';

/**
 * The console's content security policy forbids style elements; what they would say is in our own style sheets. Base
 * UI's focus guards, which pass the focus on at once, are hidden and yet focusable: that is what WCAG 4.1.2 forbids, so
 * they are not hidden here.
 */
export function PolicyProvider({ children }: { readonly children: ReactNode }): ReactElement {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      for (const guard of document.querySelectorAll(GUARD)) guard.removeAttribute('aria-hidden');
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
