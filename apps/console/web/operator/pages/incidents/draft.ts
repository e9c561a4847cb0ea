import { type Schemas } from '../../api/use-api';
import { namesIn } from './names';
import { text } from './text';

type NewIncident = Schemas['NewIncident'];

/** An incident as it is typed. */
export interface IncidentDraft {
  readonly title: string;
  readonly message: string;
  readonly severity: NewIncident['severity'];
  readonly state: NonNullable<NewIncident['state']>;
  readonly components: readonly NewIncident['components'][number][];
  readonly providers: string;
  readonly models: string;
  readonly audience: NewIncident['audience'];
  readonly organizationIds: string;
}

export const emptyDraft: IncidentDraft = {
  title: '',
  message: '',
  severity: 'minor',
  state: 'investigating',
  components: [],
  providers: '',
  models: '',
  audience: 'affected',
  organizationIds: '',
};

/** The fields that are missing before it can be sent; the API says other problems itself. */
export function problemsOf(
  draft: IncidentDraft,
): Partial<Record<'title' | 'message' | 'components', string>> {
  const { missing } = text.declare;
  return {
    ...(draft.title.trim() === '' && { title: missing.title }),
    ...(draft.message.trim() === '' && { message: missing.message }),
    ...(draft.components.length === 0 && { components: missing.components }),
  };
}

export const incidentOf = (draft: IncidentDraft): NewIncident => ({
  title: draft.title.trim(),
  message: draft.message.trim(),
  severity: draft.severity,
  state: draft.state,
  components: [...draft.components],
  providers: namesIn(draft.providers),
  models: namesIn(draft.models),
  audience: draft.audience,
  ...(draft.audience === 'organizations' && { organization_ids: namesIn(draft.organizationIds) }),
});
