export { addEdge, credentialReport, refusedReport } from './credential-report';
