/** A model as the caller's organization sees it. */
interface ListedModel {
  /** `<creator>/<model>`, or an alias */
  readonly id: string;
  readonly ownedBy: string;
  readonly displayName: string;
  /** Seconds since 1970 UTC. */
  readonly createdAtSeconds: number;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
}

/** An entry of `/v1/models`: the fields of OpenAI and Anthropic, and `context_window` and `max_output_tokens`. */
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

interface ModelListing {
  readonly object: 'list';
  readonly data: readonly ModelEntry[];
  readonly has_more: false;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/**
 * A list that both SDKs can parse (docs/reference/inference-and-compatibility.md#listing-models). All models are on one
 * page.
 */
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
    owned_by: model.ownedBy,
    type: 'model',
    display_name: model.displayName,
    created_at: new Date(model.createdAtSeconds * 1000).toISOString(),
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutputTokens,
  };
}
