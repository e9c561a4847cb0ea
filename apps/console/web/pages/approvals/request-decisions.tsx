import { type ReactElement } from 'react';
import { usePeople } from '../../api/use-people';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Person } from '../../frame/person';
import { Badge } from '../../ui/badge/badge';
import { DataTable } from '../../ui/table/data-table';
import { Time } from '../../ui/text/time';
import { type ApprovalRequest } from './approval';
import { text } from './text';

/** Who has decided what, and what they said. */
export function RequestDecisions({ request }: { readonly request: ApprovalRequest }): ReactElement {
  const people = usePeople();
  const words = text.request;
  return (
    <Section title={words.decisions}>
      {request.decisions.length === 0 ? (
        <p className="muted">{words.noDecision}</p>
      ) : (
        <DataTable
          caption={words.decisions}
          rows={request.decisions}
          rowKey={({ user_id: id }) => id}
          columns={[
            { key: 'who', header: words.who, cell: ({ user_id: id }) => <Person id={id} people={people} /> },
            {
              key: 'decision',
              header: words.decision,
              cell: ({ decision }) => (
                <Badge tone={decision === 'approved' ? 'good' : 'bad'}>{words.decisionWords[decision]}</Badge>
              ),
            },
            {
              key: 'comment',
              header: words.comment,
              wraps: true,
              cell: ({ comment }) => (comment === null ? '—' : visibleText(comment)),
            },
            { key: 'at', header: words.at, cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      )}
    </Section>
  );
}
