import { createContext, type ReactElement, type ReactNode, use, useState } from 'react';

export const PopupContainerContext = createContext<HTMLElement | null>(null);

/** Where menus, lists and tooltips are put: inside the landmark or the dialog that they belong to. */
export const usePopupContainer = (): HTMLElement | null => use(PopupContainerContext);

/** Has the popups of its children at its end, so that no content is outside every landmark. */
export function PopupContainer({ children }: { readonly children: ReactNode }): ReactElement {
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <PopupContainerContext value={container}>
      {children}
      <div ref={setContainer} />
    </PopupContainerContext>
  );
}
