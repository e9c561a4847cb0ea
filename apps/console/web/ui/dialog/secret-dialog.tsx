import { type ReactElement } from 'react';
import { Button } from '../button/button';
import { Footer } from '../footer/footer';
import { SecretField } from '../text/secret-field';
import { WarningNote } from '../states/notes';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import styles from './dialog.module.css';

interface SecretDialogProps {
  /** The secret, or null while there is none to show. Keep it in the state of one component, and nowhere else. */
  readonly secret: string | null;
  /** "I have saved it": forget the secret now. */
  readonly onSaved: () => void;
  /** `Save your key`. */
  readonly title: string;
  /** The kind of secret: `API key`. */
  readonly label: string;
  /** The API's own words about it. */
  readonly warning: string;
}

/** Shows a secret once. Neither Escape nor a click outside closes it, and nothing is copied unasked. */
export function SecretDialog({ secret, onSaved, title, label, warning }: SecretDialogProps): ReactElement {
  return (
    <BaseDialog.Root
      open={secret !== null}
      disablePointerDismissal
      onOpenChange={(_, event) => event.cancel()}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Viewport className={styles.viewport}>
          <BaseDialog.Popup className={styles.popup}>
            <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
            <SecretField label={label} secret={secret ?? ''} />
            <WarningNote>{warning}</WarningNote>
            <Footer>
              <Button variant="primary" onClick={onSaved}>
                I have saved it
              </Button>
            </Footer>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
