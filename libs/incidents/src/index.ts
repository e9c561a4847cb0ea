export { decideAutomaticIncidents } from './rules/automatic-incidents';
export {
  INCIDENT_COMPONENTS,
  INCIDENT_SEVERITIES,
  INCIDENT_STATES,
  requireScope,
  standingAfter,
  type IncidentComponent,
  type IncidentSeverity,
  type IncidentStanding,
  type IncidentState,
} from './rules/incident';
export { judgeCircuits } from './rules/judge-circuits';
export { reliesOn } from './rules/relies-on';
