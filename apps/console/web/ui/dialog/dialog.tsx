import { AlertDialog as BaseAlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactElement, type ReactNode, type RefObject, useDeferredValue } from 'react';
import { IconButton } from '../button/button';
import { Footer } from '../footer/footer';
import { CloseIcon } from '../icons/icons';
import { PopupContainer } from '../popup-container';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly isOpen: boolean;
  /** Asked for by Escape, a click outside or "Close". The opener gets the focus back. */
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the end, the safe one first. */
  readonly actions?: ReactNode;
  readonly size?: 'small' | 'large' | 'side';
  /** The element that gets the focus; the first control without it. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

/** A modal dialog. */
export function Dialog(props: DialogProps): ReactElement {
  const { isOpen, onClose, title, description, children, actions, size = 'small', initialFocus } = props;
  // It is drawn in slices, so that the button which opens it answers first. It closes at once: it may show a secret.
  const isDrawn = useDeferredValue(isOpen) && isOpen;
  return (
    <BaseDialog.Root open={isDrawn} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Viewport className={styles.viewport} data-size={size}>
          <BaseDialog.Popup className={styles.popup} data-size={size} {...(initialFocus && { initialFocus })}>
            <div className={styles.head}>
              <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
              <IconButton label="Close" icon={<CloseIcon />} onClick={onClose} />
            </div>
            {description !== undefined && (
              <BaseDialog.Description className={styles.description} render={<div />}>
                {description}
              </BaseDialog.Description>
            )}
            {children !== undefined && (
              <PopupContainer>
                <div className={styles.body}>{children}</div>
              </PopupContainer>
            )}
            {actions !== undefined && <Footer>{actions}</Footer>}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface AlertDialogProps extends Omit<DialogProps, 'onClose' | 'size'> {
  /** Asked for by Escape; without it the dialog stays until an action closes it. */
  readonly onClose?: () => void;
}

/** A dialog that must be answered: a click outside does not close it. */
export function AlertDialog(props: AlertDialogProps): ReactElement {
  const { isOpen, onClose, title, description, children, actions, initialFocus } = props;
  return (
    <BaseAlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()}>
      <BaseAlertDialog.Portal>
        <BaseAlertDialog.Backdrop className={styles.backdrop} />
        <BaseAlertDialog.Viewport className={styles.viewport} data-size="small">
          <BaseAlertDialog.Popup
            className={styles.popup}
            data-size="small"
            {...(initialFocus && { initialFocus })}
          >
            <BaseAlertDialog.Title className={styles.title}>{title}</BaseAlertDialog.Title>
            {description !== undefined && (
              <BaseAlertDialog.Description className={styles.description} render={<div />}>
                {description}
              </BaseAlertDialog.Description>
            )}
            {children !== undefined && (
              <PopupContainer>
                <div className={styles.body}>{children}</div>
              </PopupContainer>
            )}
            {actions !== undefined && <Footer>{actions}</Footer>}
          </BaseAlertDialog.Popup>
        </BaseAlertDialog.Viewport>
      </BaseAlertDialog.Portal>
    </BaseAlertDialog.Root>
  );
}
