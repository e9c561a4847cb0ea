import { modelEntry, modelListing } from './model-listing';

const model = {
  id: 'acme/small/v1',
  ownedBy: 'acme',
  displayName: 'Acme Small',
  createdAtSeconds: 1_767_225_600,
  contextWindow: 128_000,
  maxOutputTokens: 4096,
};

it('an entry has the fields of both SDKs and the two fields of this service', () => {
  expect(modelEntry(model)).toEqual({
    id: 'acme/small/v1',
    object: 'model',
    created: 1_767_225_600,
    owned_by: 'acme',
    type: 'model',
    display_name: 'Acme Small',
    created_at: '2026-01-01T00:00:00.000Z',
    context_window: 128_000,
    max_output_tokens: 4096,
    max_input_tokens: 128_000,
    max_tokens: 4096,
  });
});

it('a list names its first and last model, or null when it is empty', () => {
  const other = { ...model, id: 'acme/large' };
  expect(modelListing([model, other])).toMatchObject({
    object: 'list',
    has_more: false,
    first_id: 'acme/small/v1',
    last_id: 'acme/large',
  });
  expect(modelListing([])).toEqual({
    object: 'list',
    data: [],
    has_more: false,
    first_id: null,
    last_id: null,
  });
});
