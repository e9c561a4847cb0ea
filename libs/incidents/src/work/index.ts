export { IncidentFanOut } from './incident-fan-out';
export { IncidentWatch } from './incident-watch';
