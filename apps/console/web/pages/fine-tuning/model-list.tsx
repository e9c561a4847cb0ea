import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { usePages } from '../../browser/pages-of-list';
import { visibleText } from '../../format/visible-text';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { fineTuningJobRoute } from './route';
import { text } from './text';
import { type TunedModel } from './tuning';

const words = text.models;

/** The models that jobs made. */
export function ModelList(): ReactElement {
  const pages = usePages();
  const canWrite = useCan('fine_tuning:write');
  const [removed, setRemoved] = useState<TunedModel | null>(null);
  const models = useRead('/fine-tuning/models', { params: { query: pages.query } }, { keepsPrevious: true });
  return (
    <>
      <PagedTable of={models} pages={pages} columns={columnsOf(canWrite ? setRemoved : null)} words={words} />
      <RemoveModel model={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

const columnsOf = (onRemove: ((model: TunedModel) => void) | null): readonly Column<TunedModel>[] => [
  { key: 'model', header: words.columns.model, wraps: true, cell: ({ id }) => <Name>{id}</Name> },
  { key: 'base', header: words.columns.base, cell: ({ base_model: base }) => <Name>{base}</Name> },
  {
    key: 'provider',
    header: words.columns.provider,
    cell: ({ provider, region }) => visibleText(words.place(provider, region)),
  },
  {
    key: 'job',
    header: words.columns.job,
    cell: ({ fine_tuning_job_id: jobId }) => (
      <Id
        id={jobId}
        isShort
        wrap={(shown) => (
          <Link to={fineTuningJobRoute.to} params={{ jobId }}>
            {shown}
          </Link>
        )}
      />
    ),
  },
  { key: 'created', header: words.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
  ...(onRemove === null
    ? []
    : [
        {
          key: 'actions',
          header: words.columns.actions,
          cell: (model: TunedModel) => (
            <Button variant="quiet" onClick={() => onRemove(model)}>
              {text.remove.open}
            </Button>
          ),
        },
      ]),
];

function RemoveModel(props: {
  readonly model: TunedModel | null;
  readonly onClose: () => void;
}): ReactElement {
  const { model, onClose } = props;
  const remove = useWrite(
    (api, id: string) => api.delete('/fine-tuning/models/{model_id}', { params: { path: { model_id: id } } }),
    { changes: ['/fine-tuning/models', '/catalog', '/audit-log'], says: text.remove.done },
  );
  return (
    <ConfirmWrite
      input={model?.id ?? null}
      onClose={onClose}
      words={text.remove}
      {...(model !== null && { typedName: model.id })}
      write={remove}
    />
  );
}
