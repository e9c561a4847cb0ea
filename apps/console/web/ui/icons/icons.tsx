import { type ReactElement, type ReactNode } from 'react';

/** Drawn beside words, which say the same: hidden from screen readers. */
export const icon = (drawing: ReactNode) =>
  function Icon(): ReactElement {
    return (
      <svg
        viewBox="0 0 16 16"
        width="16"
        height="16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {drawing}
      </svg>
    );
  };
export const path = (d: string) => icon(<path d={d} />);

export const CloseIcon = path('M4 4l8 8M12 4l-8 8');
export const CheckIcon = path('M3 8.5l3.2 3L13 4.5');
export const ChevronsIcon = path('M5 6.2L8 3.2l3 3M5 9.8l3 3 3-3');
export const MenuIcon = path('M2.5 4.5h11M2.5 8h11M2.5 11.5h11');
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.25" />
    <path d="M10.2 10.2l3.3 3.3" />
  </>,
);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </>,
);
export const WarningIcon = path('M8 2.5l6 10.5H2L8 2.5zM8 6.5v3M8 11.3v.01');
export const InfoIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M8 7.3v3.4M8 5.2v.01" />
  </>,
);
export const ClockIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M8 4.8V8l2.2 1.6" />
  </>,
);
export const LockIcon = icon(
  <>
    <rect x="3.25" y="7" width="9.5" height="6.25" rx="1.25" />
    <path d="M5.25 7V5.2a2.75 2.75 0 0 1 5.5 0V7" />
  </>,
);
export const UserIcon = icon(
  <>
    <circle cx="8" cy="5.5" r="2.75" />
    <path d="M2.75 13.5c.5-2.6 2.6-4 5.25-4s4.75 1.4 5.25 4" />
  </>,
);
export const SunIcon = icon(
  <>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />
  </>,
);
export const MoonIcon = path('M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z');
export const ScreenIcon = path('M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3');
export const OverviewIcon = path('M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6');
export const RequestsIcon = path('M2.5 4h11M2.5 8h11M2.5 12h6.5');
export const RefusalsIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M4 12l8-8" />
  </>,
);
export const PlaygroundIcon = path('M2.5 3.5h11v9h-11zM5 6.5l2 1.5-2 1.5M8.5 10h2.5');
export const ModelsIcon = path('M8 2l5.5 3v6L8 14l-5.5-3V5L8 2zM2.5 5L8 8l5.5-3M8 8v6');
export const RoutingIcon = path(
  'M2.5 4h2.2c3.6 0 2.9 8 6.6 8h2.2M2.5 12h2.2c1.2 0 1.9-.9 2.4-2M8.9 6c.5-1.1 1.2-2 2.4-2h2.2M11.8 2.3L13.5 4l-1.7 1.7M11.8 10.3l1.7 1.7-1.7 1.7',
);
export const KeyIcon = icon(
  <>
    <circle cx="5.25" cy="10.75" r="2.75" />
    <path d="M7.2 8.8l6-6M10.6 5.4l2 2" />
  </>,
);
export const ProjectsIcon = path('M2.5 4.5h4l1.3 1.7h5.7v6.3h-11z');
export const BudgetsIcon = path('M2.6 11.5a5.75 5.75 0 1 1 10.8 0M8 10l2.4-3.4');
export const CredentialsIcon = path(
  'M8 2l5 1.8v3.7c0 3-2 5.3-5 6.5-3-1.2-5-3.5-5-6.5V3.8L8 2zM5.8 8l1.6 1.6 2.8-3',
);
export const WalletIcon = path('M2.5 5h10v8h-10zM2.5 5l7.5-2.5V5M12.5 8h1.5v2.5h-1.5M10 9.2h.01');
export const WebhooksIcon = path(
  'M5 9.5a2.25 2.25 0 1 1-2.2-2.8M5 10h5.5M7 2.7a2.25 2.25 0 0 1 2.4 3.1L11 10M12 8.2a2.25 2.25 0 1 1-1.6 3.9M8.4 5.8L5.2 10.6',
);
export const AppsIcon = path(
  'M2.5 2.5h4.2v4.2H2.5zM9.3 2.5h4.2v4.2H9.3zM2.5 9.3h4.2v4.2H2.5zM9.3 9.3h4.2v4.2H9.3z',
);
export const MembersIcon = path(
  'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM1.8 13c.4-2.1 2-3.3 4.2-3.3s3.8 1.2 4.2 3.3M10.5 3.2a2.25 2.25 0 0 1 0 4.1M12 9.9c1.3.5 2 1.6 2.2 3.1',
);
export const AuditIcon = path('M4 2.5h8v11H4zM6.2 5.5h3.6M6.2 8h3.6M6.2 10.5h2');
export const AlertsIcon = path('M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7zM6.8 13.5h2.4');
export const ApprovalsIcon = path(
  'M8 2l5 2v4.2c0 2.8-2.1 4.7-5 5.8-2.9-1.1-5-3-5-5.8V4l5-2zM5.8 8l1.6 1.6 2.9-3',
);
export const ExportsIcon = path('M8 2.5v7M5.2 7l2.8 2.8L10.8 7M2.5 10.5v3h11v-3');
export const IncidentsIcon = path('M1.5 8.5h3l1.8-5 3 9 1.9-4h3.3');
export const IntegrationsIcon = path('M6 2.5v3M10 2.5v3M4 5.5h8v2.2a4 4 0 0 1-8 0zM8 11.7v2');
export const FineTuningIcon = path('M2.5 13.5l7-7M8 5l3 3M11 2.5v2M13.5 5h-2M13 8.5l-1-1M7.5 3l1 1');
export const SettingsIcon = path('M2.5 5h5.5M11 5h2.5M2.5 11H5M8 11h5.5M9.5 3.4v3.2M6.5 9.4v3.2');

/** The logo of the service. */
export function Logo(): ReactElement {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true" focusable="false">
      <path d="M2 22V12a10 10 0 0 1 20 0v10h-6V12a4 4 0 0 0-8 0v10z" />
    </svg>
  );
}
