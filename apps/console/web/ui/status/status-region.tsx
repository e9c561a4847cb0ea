import { type ReactElement } from 'react';
import { dismissStatus, useStatusMessages } from '../../browser/status-store';
import { IconButton } from '../button/button';
import { CloseIcon } from '../icons/icons';
import styles from './status-region.module.css';

/** Always in the document: a live region that appears together with its words is not read out. */
export function StatusRegion(): ReactElement {
  return (
    <div role="status" className={styles.region}>
      {useStatusMessages().map(({ id, text }) => (
        <div key={id} className={styles.message}>
          <p>{text}</p>
          <IconButton label="Dismiss" icon={<CloseIcon />} onClick={() => dismissStatus(id)} />
        </div>
      ))}
    </div>
  );
}
