import { type ReactElement } from 'react';
import { usePeople } from '../../api/use-people';
import { visibleText } from '../../format/visible-text';
import { Person } from '../../frame/person';
import { Badge } from '../../ui/badge/badge';
import { PageLink } from '../../ui/page-link';
import { DataTable } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Notification } from './alert';
import { text } from './text';
import { useIntegrations } from './use-integrations';

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
        { key: 'target', header: words.target, cell: (told) => <Target of={told} /> },
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

/** A member by their address; an integration by its name, which leads to its page. */
function Target({ of: { channel, target } }: { readonly of: Notification }): ReactElement {
  const people = usePeople();
  const name = useIntegrations().find(({ id }) => id === target)?.name;
  if (channel === 'email') return <Person id={target} people={people} />;
  const params = { integrationId: target };
  if (name !== undefined)
    return (
      <PageLink to="/integrations/$integrationId" params={params}>
        <Name>{name}</Name>
      </PageLink>
    );
  return (
    <Id
      id={target}
      isShort
      wrap={(shown) => (
        <PageLink to="/integrations/$integrationId" params={params}>
          {shown}
        </PageLink>
      )}
    />
  );
}
