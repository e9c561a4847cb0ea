import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { type ModelRequest } from '../../calls/request';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { CopyButton } from '../../ui/text/copy-button';
import { curlOf } from './curl';
import styles from './requests.module.css';
import { text } from './text';

const words = text.one;

/** The settings of the call, to make one like it. */
export function CallAgain({ of: call }: { readonly of: ModelRequest }): ReactElement {
  const canReadPolicy = useCan('policy:read');
  const { data: policy } = useRead('/policy', {}, { enabled: canReadPolicy });
  return (
    <Section title={words.again}>
      <p>
        {words.notKept} {policy !== undefined && words.retention[policy.retention]}
      </p>
      <div className={styles.actions}>
        <CopyButton text={curlOf(call, location.origin)} what="curl command" label={words.copyCurl} />
        <OpenInPlayground of={call} />
      </div>
    </Section>
  );
}

const playgroundRoutes: Readonly<Partial<Record<ModelRequest['route'], string>>> = {
  chat_completions: 'chat',
  messages: 'messages',
};

/** The settings of the call alone; the playground has no other routes. */
function OpenInPlayground({ of: call }: { readonly of: ModelRequest }): ReactElement | null {
  const { model, stream, project_id: project } = call;
  const route = playgroundRoutes[call.route];
  if (route === undefined) return null;
  return (
    <PageLink
      to="/playground"
      search={{ model, route, project: project ?? undefined, stream: stream ? undefined : 'false' }}
    >
      {words.playground}
    </PageLink>
  );
}
