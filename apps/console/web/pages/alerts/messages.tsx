import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { Badge } from '../../ui/badge/badge';
import { DataTable } from '../../ui/table/data-table';
import { Id } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Notification } from './alert';
import { text } from './text';

const tones = { queued: 'accent', sent: 'good', failed: 'bad', skipped: 'warn' } as const;
const words = text.told;

/** Whom messages reached, and why not. */
export function Messages({ of }: { readonly of: readonly Notification[] }): ReactElement {
  if (of.length === 0) return <p className="muted">{words.none}</p>;
  return (
    <DataTable
      caption={words.caption}
      rows={of}
      rowKey={({ channel, target, at }) => `${channel} ${target} ${at}`}
      columns={[
        { key: 'target', header: words.target, cell: ({ target }) => <Id id={target} isShort /> },
        { key: 'channel', header: words.channel, cell: ({ channel }) => words.channels[channel] },
        {
          key: 'status',
          header: words.status,
          cell: ({ status }) => <Badge tone={tones[status]}>{words.statuses[status]}</Badge>,
        },
        { key: 'at', header: words.at, cell: ({ at }) => <Time at={at} /> },
        {
          key: 'error',
          header: words.error,
          cell: ({ error }) => (error === null ? '—' : <code>{visibleText(error)}</code>),
        },
      ]}
    />
  );
}
