import { type ReactElement } from 'react';
import { stringifyExact } from '../../api/exact-json';
import { useRead } from '../../api/use-api';
import { visibleLines, visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { WarningNote } from '../../ui/states/notes';
import { DataTable } from '../../ui/table/data-table';
import { Money } from '../../ui/text/money';
import { isOpen, type ApprovalRequest } from './approval';
import styles from './approvals.module.css';
import { text } from './text';

/** The requested change, field by field, and its effect. */
export function RequestChange({ request }: { readonly request: ApprovalRequest }): ReactElement {
  const words = text.request;
  const actions = useRead('/approval-actions', {});
  const described = actions.data?.data.find(({ action }) => action === request.action)?.description;
  const fields = Object.entries(request.changes);
  return (
    <Section title={isOpen(request) ? words.change : words.changed}>
      {request.error !== null && request.state === 'failed' && (
        <WarningNote>
          <p>{visibleText(request.error.message)}</p>
          <p>
            <code>{visibleText(request.error.code)}</code>
          </p>
        </WarningNote>
      )}
      <p>
        {described} {words.effects[request.state]}
      </p>
      {fields.length === 0 ? (
        <p className="muted">{words.noFields}</p>
      ) : (
        <DataTable
          caption={words.changes}
          rows={fields}
          rowKey={([field]) => field}
          columns={[
            { key: 'field', header: words.field, cell: ([field]) => <code>{visibleText(field)}</code> },
            {
              key: 'from',
              header: words.from,
              wraps: true,
              cell: ([field, { from }]) => <Value field={field} value={from} />,
            },
            {
              key: 'to',
              header: words.to,
              wraps: true,
              cell: ([field, { to }]) => <Value field={field} value={to} />,
            },
          ]}
        />
      )}
      <details className={styles.call}>
        <summary>{words.call}</summary>
        <p>
          <code>
            {visibleText(request.method)} {visibleText(request.path)}
          </code>
        </p>
        {request.body !== null && <pre>{bodyText(request.body)}</pre>}
      </details>
    </Section>
  );
}

/** An amount is shown as one: the field says that it is. */
function Value({ field, value }: { readonly field: string; readonly value: unknown }): ReactElement {
  if (value === undefined || value === null) return <span className="muted">{text.request.nothing}</span>;
  if (/_nanos$/.test(field) && Number.isSafeInteger(value)) return <Money amount={BigInt(value as number)} />;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return <>{visibleText(value.join(', '))}</>;
  return <>{visibleText(typeof value === 'string' ? value : stringifyExact(value))}</>;
}

/** Indented; amounts keep all their digits. */
const bodyText = (body: unknown): string =>
  visibleLines(JSON.stringify(JSON.parse(stringifyExact(body)), null, 2));
