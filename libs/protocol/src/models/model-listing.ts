/** A model as the caller's organization sees it. */
export interface ListedModel {
  /** `<creator>/<model>` */
  readonly id: string;
  readonly displayName: string;
  /** Seconds since 1970 UTC. */
  readonly createdAtSeconds: number;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
}

/** An entry of `/v1/models`: OpenAI's and Anthropic's in one, with the two fields of interface.md. */
export interface ModelEntry {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly type: 'model';
  readonly display_name: string;
  readonly created_at: string;
  readonly context_window: number;
  readonly max_output_tokens: number;
  readonly max_input_tokens: number;
  readonly max_tokens: number;
}

export interface ModelListing {
  readonly object: 'list';
  readonly data: readonly ModelEntry[];
  readonly has_more: false;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** The superset of a list that both SDKs parse (contract.md section 10); all models are on its one page. */
export function modelListing(models: readonly ListedModel[]): ModelListing {
  return {
    object: 'list',
    data: models.map(modelEntry),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

export function modelEntry(model: ListedModel): ModelEntry {
  return {
    id: model.id,
    object: 'model',
    created: model.createdAtSeconds,
    owned_by: model.id.split('/', 1)[0] ?? '',
    type: 'model',
    display_name: model.displayName,
    created_at: new Date(model.createdAtSeconds * 1000).toISOString(),
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutputTokens,
  };
}
