import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Section } from '../../frame/page';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { text } from './text';

const SHOWN = 20;

/** The newest keys that can call for the project. */
export function ProjectKeys({ projectId }: { readonly projectId: string }): ReactElement {
  const query = { project_id: projectId, state: 'active', limit: SHOWN } as const;
  const keys = useRead('/keys', { params: { query } });
  const words = text.keys;
  const all = (
    <PageLink to="/keys" search={{ project: projectId }}>
      {words.all}
    </PageLink>
  );
  return (
    <Section title={words.title} actions={all}>
      <Result of={keys} lines={3}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <>
              <DataTable
                caption={words.caption}
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'name',
                    header: words.name,
                    cell: ({ id, name }) => (
                      <PageLink to="/keys/$keyId" params={{ keyId: id }}>
                        <Name>{name}</Name>
                      </PageLink>
                    ),
                  },
                  { key: 'prefix', header: words.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
                  {
                    key: 'used',
                    header: words.lastUsed,
                    cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
                  },
                ]}
              />
              {has_more && <p className="muted">{words.shown(data.length)}</p>}
            </>
          )
        }
      </Result>
    </Section>
  );
}
