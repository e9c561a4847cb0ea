export { ApprovalPage } from '../../pages/approvals/approval-page';
export { ApprovalsPage } from '../../pages/approvals/approvals-page';
export { AuditPage } from '../../pages/audit/audit-page';
export { MembersPage } from '../../pages/members/members-page';
export { SettingsPage } from '../../pages/settings/settings-page';
