import { type ReactElement } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type ApiKey } from './key';
import { text } from './text';

type AuditEntry = components['schemas']['AuditEntry'];

const SHOWN = 20;

/** The newest changes of the key, and who made them. */
export function KeyAudit({ apiKey: { id } }: { readonly apiKey: ApiKey }): ReactElement {
  const entries = useRead('/audit-log', { params: { query: { target_id: id, limit: SHOWN } } });
  const words = text.audit;
  const all = (
    <PageLink to="/audit" search={{ target: id }}>
      {words.all}
    </PageLink>
  );
  return (
    <Section title={text.key.audit} actions={all}>
      <Result of={entries} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{text.key.auditEmpty}</p>
          ) : (
            <DataTable
              caption={words.caption}
              rows={data}
              rowKey={({ id: entryId }) => entryId}
              columns={[
                { key: 'at', header: words.at, cell: ({ created_at: at }) => <Time at={at} /> },
                { key: 'action', header: words.action, cell: ({ action }) => <code>{action}</code> },
                {
                  key: 'actor',
                  header: words.actor,
                  cell: ({ actor }) => <Actor of={actor} />,
                },
                {
                  key: 'changes',
                  header: words.changes,
                  wraps: true,
                  cell: ({ changes }) => changesText(changes),
                },
              ]}
            />
          )
        }
      </Result>
    </Section>
  );
}

/** By the name that the actor had then. */
function Actor({ of: { type, id, label } }: { readonly of: AuditEntry['actor'] }): ReactElement {
  if (label !== null) return <Name>{label}</Name>;
  return id === null ? <>{text.audit.actors[type]}</> : <Id id={id} isShort />;
}

type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/** Changed fields in words: of a creation the first values, of a change both values. */
const changesText = (changes: Changes): string =>
  Object.entries(changes)
    .filter(([, { from, to }]) => isGiven(from) || isGiven(to))
    .map(([field, { from, to }]) =>
      from === undefined
        ? text.audit.set(field, shown(to))
        : text.audit.change(field, shown(from), shown(to)),
    )
    .join('; ');

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function shown(value: unknown): string {
  if (!isGiven(value)) return text.audit.nothing;
  if (Array.isArray(value)) return visibleText(value.join(', '));
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
}
