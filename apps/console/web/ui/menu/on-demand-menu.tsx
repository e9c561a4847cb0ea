import { type ComponentType, type ReactElement, Suspense } from 'react';
import { type ButtonProps } from '../button/button';
import { lazyPart } from '../loading/lazy-part';
import { useOnDemand } from '../loading/on-demand';

export interface OnDemandProps {
  /** True for the menu that was asked for before its code was there. */
  readonly isOpenAtFirst: boolean;
}
type Trigger = ComponentType<Partial<ButtonProps>>;

/**
 * A menu whose code is loaded when its button is used first: nothing of the first page needs it. `load` answers the
 * whole menu, whose trigger is the same button.
 */
export function onDemandMenu(
  Button: Trigger,
  load: () => Promise<ComponentType<OnDemandProps>>,
): () => ReactElement {
  const Loaded = lazyPart(load);
  return function OnDemandMenu(): ReactElement {
    const { isAsked, trigger } = useOnDemand(load);
    const button = <Button aria-haspopup="menu" aria-expanded={false} isBusy={isAsked} {...trigger} />;
    return isAsked ? (
      <Suspense fallback={button}>
        <Loaded isOpenAtFirst />
      </Suspense>
    ) : (
      button
    );
  };
}
