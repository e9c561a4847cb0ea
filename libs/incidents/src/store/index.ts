export { type LimitedOrganization } from './affected-search';
export { IncidentFigures } from './incident-figures';
export {
  IncidentStore,
  type AffectedOrganization,
  type AffectingIncident,
  type IncidentFilter,
  type IncidentIdempotency,
  type IncidentRecord,
} from './incident-store';
