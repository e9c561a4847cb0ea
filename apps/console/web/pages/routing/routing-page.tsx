import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { useOrganization } from '../../session/organization';
import { Empty } from '../../ui/states/states';
import { EffectivePolicy } from './effective-policy';
import { LevelChoice } from './level-choice';
import { OwnPolicy } from './own-policy';
import { routingRoute } from './route';
import { text } from './text';

export function RoutingPage(): ReactElement {
  const { level = 'organization' } = routingRoute.useSearch();
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <LevelChoice level={level} />
      {level === 'effective' ? <EffectivePolicy /> : <ChosenPolicy level={level} />}
    </Page>
  );
}

/** The policy of the organization, or of the project or key that is chosen. */
function ChosenPolicy({ level }: { readonly level: 'organization' | 'project' | 'key' }): ReactElement {
  const { id: organization } = useOrganization();
  const { project, key } = routingRoute.useSearch();
  const id = { organization, project, key }[level];
  if (id !== undefined) return <OwnPolicy key={id} owner={{ level, id }} />;
  const words = level === 'project' ? text.unchosen.project : text.unchosen.key;
  return <Empty title={words.title}>{words.body}</Empty>;
}
