export { IntakeOfSpec } from './intake-of-spec';
