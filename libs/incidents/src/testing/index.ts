export { IncidentWorld } from './incident-world';
