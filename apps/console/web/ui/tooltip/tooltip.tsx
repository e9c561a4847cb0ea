import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import { type ReactElement, useEffect, useId } from 'react';
import { type ShownTip } from './follow-tips';
import styles from './tooltip.module.css';
import { usePopupContainer } from '../popup-container';

/** The popup of a tip, which describes its anchor while it is shown. */
export function Tooltip({ tip }: { readonly tip: ShownTip | null }): ReactElement {
  const container = usePopupContainer();
  const id = useId();
  useEffect(() => {
    // A name that is its own tooltip would be said twice.
    if (tip === null || tip.anchor.getAttribute('aria-label') === tip.text) return undefined;
    return describe(tip.anchor, id);
  }, [tip, id]);
  return (
    <BaseTooltip.Root open={tip !== null}>
      <BaseTooltip.Portal container={container}>
        <BaseTooltip.Positioner className={styles.positioner} anchor={tip?.anchor ?? null} sideOffset={6}>
          <BaseTooltip.Popup id={id} role="tooltip" className={styles.popup}>
            {tip?.text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

/** @returns what takes the description back. */
function describe(anchor: Element, id: string): () => void {
  const before = anchor.getAttribute('aria-describedby');
  anchor.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`);
  return () =>
    before === null
      ? anchor.removeAttribute('aria-describedby')
      : anchor.setAttribute('aria-describedby', before);
}
