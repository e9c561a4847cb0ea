export { AlertPage } from '../../pages/alerts/alert-page';
export { AlertsPage } from '../../pages/alerts/alerts-page';
export { RulePage } from '../../pages/alerts/rule-page';
export { IncidentPage } from '../../pages/incidents/incident-page';
export { IncidentsPage } from '../../pages/incidents/incidents-page';
