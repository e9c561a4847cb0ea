import { type ReactElement, useId } from 'react';
import { Button } from '../button/button';
import { CopyButton } from '../text/copy-button';
import { WarningNote } from '../states/notes';
import fields from '../fields/fields.module.css';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import styles from './dialog.module.css';

export interface SecretDialogProps {
  /** The secret, or null while there is none to show. Keep it in the state of one component, and nowhere else. */
  readonly secret: string | null;
  /** "I have saved it": forget the secret now. */
  readonly onSaved: () => void;
  /** `Save your key`. */
  readonly title: string;
  /** What the field holds: `API key`. */
  readonly label: string;
  /** The API's own words about it. */
  readonly warning: string;
}

/** Shows a secret once. Neither Escape nor a click outside closes it, and nothing is copied unasked. */
export function SecretDialog({ secret, onSaved, title, label, warning }: SecretDialogProps): ReactElement {
  const id = useId();
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
            <div className={fields.field}>
              <label htmlFor={id}>{label}</label>
              <div className={fields.inputGroup}>
                <input
                  id={id}
                  className={`${fields.input} mono`}
                  readOnly
                  value={secret ?? ''}
                  autoComplete="off"
                  spellCheck={false}
                  onFocus={({ target }) => target.select()}
                />
                <CopyButton text={secret ?? ''} what={label} isLabelled />
              </div>
            </div>
            <WarningNote>{warning}</WarningNote>
            <div className={styles.actions}>
              <Button variant="primary" onClick={onSaved}>
                I have saved it
              </Button>
            </div>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
