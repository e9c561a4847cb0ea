import { type ReactElement, type ReactNode } from 'react';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { CopyButton } from './copy-button';
import styles from './text.module.css';

interface IdProps {
  readonly id: string;
  /** In lists: shortened in the middle, whole in the tooltip. */
  readonly isShort?: boolean;
  /** Another element around the text, a link for example. */
  readonly wrap?: (text: string) => ReactNode;
}

/** An id with "Copy", which copies all of it. */
export function Id({ id, isShort = false, wrap }: IdProps): ReactElement {
  const text = visibleText(isShort ? shortId(id) : id);
  return (
    <span className={styles.id} translate="no">
      {wrap?.(text) ?? <span {...(isShort && { 'data-tip': visibleText(id) })}>{text}</span>}
      <CopyButton text={id} what="id" />
    </span>
  );
}

/** A name that somebody gave: hidden and direction-turning characters are spelled out. */
export function Name({ children }: { readonly children: string }): ReactElement {
  return <bdi translate="no">{visibleText(children)}</bdi>;
}
