import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { type Credential } from './credential';
import { text } from './text';
import { useProviders, type Provider } from './use-providers';

/** More active credentials than this are found by the filter of the list. */
const READ_MAX = 100;

/** Per provider: the active credential of the organization, the platform's, or none, and which of them calls use. */
export function Providers(): ReactElement | null {
  const words = text.providers;
  const providers = useProviders();
  const canReadPolicy = useCan('policy:read');
  const query = { state: 'active', limit: READ_MAX } as const;
  const { data } = useRead('/provider-credentials', { params: { query } });
  if (providers.length === 0 || data === undefined) return null;
  const own = newestOf(data.data);
  return (
    <Section title={words.title}>
      <p className="muted">{words.purpose}</p>
      {canReadPolicy && <Mode />}
      <DataTable
        caption={words.caption}
        rows={providers}
        rowKey={({ name }) => name}
        columns={[
          { key: 'provider', header: words.provider, cell: ({ name }) => name },
          {
            key: 'yours',
            header: words.yours,
            cell: ({ name }) => {
              const credential = own.get(name);
              if (credential !== undefined) return <Name>{credential.label}</Name>;
              return data.has_more ? words.more : words.none;
            },
          },
          ...(canReadPolicy
            ? [
                {
                  key: 'use',
                  header: words.use,
                  cell: ({ use }: Provider) => (use === null ? words.none : words.uses[use]),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

/** Calls use the newest active credential of a provider; the list is newest first. */
function newestOf(active: readonly Credential[]): ReadonlyMap<string, Credential> {
  const newest = new Map<string, Credential>();
  for (const credential of active)
    if (!newest.has(credential.provider)) newest.set(credential.provider, credential);
  return newest;
}

function Mode(): ReactElement | null {
  const words = text.providers;
  const { data } = useRead('/policy', {});
  if (data === undefined) return null;
  return (
    <p>
      {words.mode} {words.modes[data.credential_mode]} <PageLink to="/routing">{words.change}</PageLink>
    </p>
  );
}
