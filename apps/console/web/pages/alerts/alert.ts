import { type components } from '../../api/generated/management';

export type AlertRule = components['schemas']['AlertRule'];
export type NewAlertRule = components['schemas']['NewAlertRule'];
export type Alert = components['schemas']['Alert'];
export type Notification = components['schemas']['AlertNotification'];
export type Role = AlertRule['notify']['roles'][number];
export type Severity = AlertRule['severity'];
