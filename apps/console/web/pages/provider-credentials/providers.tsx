import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { formatList, formatPercent } from '../../format/numbers';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { type Credential } from './credential';
import { shareOf } from './pool';
import { text } from './text';
import { useProviders, type Provider } from './use-providers';

/** More active credentials than this are found by the filter of the list. */
const READ_MAX = 100;

/** Per provider: the active credentials of the organization with their shares of calls, the platform's, or none, and which of them calls use. */
export function Providers(): ReactElement | null {
  const words = text.providers;
  const providers = useProviders();
  const canReadPolicy = useCan('policy:read');
  const query = { state: 'active', limit: READ_MAX } as const;
  const { data } = useRead('/provider-credentials', { params: { query } });
  if (providers.length === 0 || data === undefined) return null;
  const own = Map.groupBy(data.data, ({ provider }) => provider);
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
              const pool = own.get(name);
              if (pool !== undefined) return <Name>{formatList(pool.map((one) => sharing(one, pool)))}</Name>;
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

/** `Ours (75 %)`, `Other (spare)`; a credential that is alone is only named. */
function sharing(credential: Credential, pool: readonly Credential[]): string {
  if (pool.length === 1) return credential.label;
  const share = shareOf(credential, pool);
  return share === null
    ? text.providers.spare(credential.label)
    : text.providers.share(credential.label, formatPercent(share));
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
