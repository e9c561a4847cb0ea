import { type ComponentType, type ReactElement, Suspense, useState } from 'react';
import { type ButtonProps } from '../button/button';
import { lazyPart } from '../loading/lazy-part';

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
  // A pointer that only passes by reports nothing.
  const prepare = () => void load().catch(() => undefined);
  return function OnDemandMenu(): ReactElement {
    const [isAsked, setIsAsked] = useState(false);
    const button = (
      <Button
        aria-haspopup="menu"
        aria-expanded={false}
        isBusy={isAsked}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setIsAsked(true)}
      />
    );
    return isAsked ? (
      <Suspense fallback={button}>
        <Loaded isOpenAtFirst />
      </Suspense>
    ) : (
      button
    );
  };
}
