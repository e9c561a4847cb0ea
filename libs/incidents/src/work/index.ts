export { catalogFacts } from './catalog-facts';
export { IncidentFanOut } from './incident-fan-out';
export { IncidentWatch } from './incident-watch';
export { tellIncidents } from './tell-incidents';
export { watchCircuits } from './watch-circuits';
