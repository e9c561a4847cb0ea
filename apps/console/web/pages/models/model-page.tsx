import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { type CatalogModel } from '../../api/use-catalog';
import { formatCount } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { Id } from '../../ui/text/id';
import { EndpointTable } from './endpoint-table';
import styles from './models.module.css';
import { Reasons } from './reasons';
import { modelRoute, modelsRoute } from './route';
import { Standing } from './standing';
import { text } from './text';

const words = text.model;
const parent = <Link to={modelsRoute.to}>{words.parent}</Link>;

export function ModelPage(): ReactElement {
  const { creator, model } = modelRoute.useParams();
  const canReadPolicy = useCan('policy:read');
  const found = useRead('/catalog/models/{model_id}', {
    params: {
      path: { model_id: `${creator}/${model}` },
      query: canReadPolicy ? { include: 'unavailable' } : {},
    },
  });
  return (
    <ReadPage of={found} words={words} parent={parent}>
      {(data) => <OneModel model={data} />}
    </ReadPage>
  );
}

function OneModel({ model }: { readonly model: CatalogModel }): ReactElement {
  const { eligible, reasons = [], endpoints } = model;
  return (
    <Page title={model.display_name} parent={parent} subtitle={<Standing eligible={eligible} />}>
      <Section title={words.title} actions={eligible !== false && <Use model={model} />}>
        <Facts
          of={[
            [words.id, <Id key="id" id={model.id} />],
            [
              words.aliases,
              model.aliases.length === 0 ? text.none : model.aliases.map(visibleText).join(', '),
            ],
            [words.context, words.tokens(formatCount(model.context_window))],
            [
              words.output,
              model.max_output_tokens === 0
                ? text.noOutput
                : words.tokens(formatCount(model.max_output_tokens)),
            ],
          ]}
        />
        <Reasons of={reasons} />
      </Section>
      <EndpointTable of={endpoints} />
    </Page>
  );
}

function Use({ model: { id, endpoints } }: { readonly model: CatalogModel }): ReactElement {
  const served = endpoints
    .filter(({ eligible }) => eligible !== false)
    .flatMap(({ operations }) => operations);
  const route = served.includes('chat_completions') ? 'chat' : 'messages';
  const canChat = route === 'chat' || served.includes('messages');
  return (
    <span className={styles.use}>
      {canChat && (
        <PageLink to="/playground" search={{ model: id, route }}>
          {words.tryIt}
        </PageLink>
      )}
      <PageLink to="/start" search={{ model: id }}>
        {words.use}
      </PageLink>
    </span>
  );
}
