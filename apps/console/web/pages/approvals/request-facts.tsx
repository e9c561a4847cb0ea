import { type ReactElement } from 'react';
import { usePeople } from '../../api/use-people';
import { visibleText } from '../../format/visible-text';
import { Facts, Section } from '../../frame/page';
import { Person } from '../../frame/person';
import { DataTable } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type ApprovalRequest } from './approval';
import { text } from './text';

/** Who asked, why, until when, and which policies hold it. */
export function RequestFacts({ request }: { readonly request: ApprovalRequest }): ReactElement {
  const words = text.request;
  const people = usePeople();
  const { requested_by: by, target_id: target, decided_at: decided, executed_at: executed } = request;
  const person = by.user_id;
  return (
    <Section title={words.facts}>
      <Facts
        of={[
          [words.id, <Id key="id" id={request.id} />],
          [words.target, target === null ? words.newTarget : <Id key="target" id={target} />],
          [words.requestedBy, words.kinds[by.type]],
          ...(person === null
            ? []
            : [[words.person, <Person key="person" id={person} people={people} />] as const]),
          [words.reason, request.reason === null ? words.noReason : visibleText(request.reason)],
          [words.created, <Time key="created" at={request.created_at} as="instant" />],
          [words.expires, <Time key="expires" at={request.expires_at} as="instant" />],
          ...(decided === null
            ? []
            : [[words.decided, <Time key="decided" at={decided} as="instant" />] as const]),
          ...(executed === null
            ? []
            : [[words.executed, <Time key="executed" at={executed} as="instant" />] as const]),
        ]}
      />
      <DataTable
        caption={words.policies}
        rows={request.policies}
        rowKey={({ id }) => id}
        columns={[
          { key: 'policy', header: words.policy, cell: ({ name }) => <Name>{name}</Name> },
          { key: 'version', header: words.version, align: 'end', cell: ({ version }) => version },
          {
            key: 'approvals',
            header: words.approvals,
            align: 'end',
            cell: (policy) => text.list.approvals({ ...request, policies: [policy] }),
          },
        ]}
      />
    </Section>
  );
}
