import type { ReactNode } from "react";

/** Each icon is drawn on 16 × 16 with a 1.5 line in the text's colour, and is hidden from screen readers. */
function icon(children: ReactNode): () => ReactNode {
  return () => (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const HomeIcon = icon(<path d="M2.5 7.5 8 3l5.5 4.5V13h-4v-3.5h-3V13h-4z" />);
export const CustomersIcon = icon(
  <path d="M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5M1.75 13c.4-2.3 2-3.5 4.25-3.5s3.85 1.2 4.25 3.5M10.5 3.2a2.25 2.25 0 0 1 0 4.1M12 9.8c1.3.5 2 1.6 2.25 3.2" />,
);
export const LedgerIcon = icon(<path d="M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3" />);
export const LiabilityIcon = icon(<path d="M8 2.5v11M3 13.5h10M3 5h10M3 5 1.5 9.5h3zM13 5l-1.5 4.5h3z" />);
export const OrdersIcon = icon(<path d="M3.5 5h9l.8 8.5H2.7zM5.75 7V4.5a2.25 2.25 0 0 1 4.5 0V7" />);
export const ApprovalsIcon = icon(<path d="M8 2.25 13 4v4c0 3-2.1 5-5 6-2.9-1-5-3-5-6V4zM5.75 8l1.6 1.6L10.4 6.5" />);
export const ProgramIcon = icon(<path d="M8 2.3l1.7 3.6 3.9.5-2.9 2.7.8 3.9L8 11.1 4.5 13l.8-3.9-2.9-2.7 3.9-.5z" />);
export const SegmentsIcon = icon(<path d="M2.5 3.5h11L9.5 8.5V13l-3-1.5v-3z" />);
export const ResultsIcon = icon(<path d="M2.5 13.5h11M4.5 11V8.5M8 11V5M11.5 11V2.5" />);
export const GrowthIcon = icon(<path d="M2 12.5 6 8.5l2.5 2.5L14 4.5M10 4.5h4v4" />);
export const TransferIcon = icon(<path d="M5 13V3M5 3 2.5 5.5M5 3l2.5 2.5M11 3v10M11 13l2.5-2.5M11 13 8.5 10.5" />);
export const WebhooksIcon = icon(
  <path d="M5.2 9.3 7.4 5.6a2.2 2.2 0 1 1 2.7-.8M8.6 4.5l2.3 4a2.2 2.2 0 1 1-1 2.7M10 11.5H5.7a2.2 2.2 0 1 1-2-3" />,
);
export const CredentialsIcon = icon(
  <path d="M9.75 9a3.25 3.25 0 1 0-3-2L2 11.75V14h2.5v-1.5H6V11l1.2-1.2M10.5 5.5h.01" />,
);
export const PeopleIcon = icon(
  <path d="M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c.4-2.6 2.3-4 5-4s4.6 1.4 5 4" />,
);
export const AuditIcon = icon(<path d="M8 4.5V8l2.5 1.5M2.5 8A5.5 5.5 0 1 0 4.3 3.9L2.5 5.5M2.5 2.5v3h3" />);
export const ReportsIcon = icon(<path d="M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M6 11V9M8 11V7.5M10 11v-1" />);
export const MailIcon = icon(<path d="M2.5 3.5h11v9h-11zM2.5 4.5 8 8.75l5.5-4.25" />);
export const AlertsIcon = icon(
  <path d="M8 2.5a3.75 3.75 0 0 0-3.75 3.75C4.25 10 2.75 11 2.75 11h10.5s-1.5-1-1.5-4.75A3.75 3.75 0 0 0 8 2.5M6.75 13.25h2.5" />,
);
export const AppearanceIcon = icon(
  <path d="M8 13.5a5.5 5.5 0 1 1 5.5-5.5c0 2-2.5 1.5-3.5 2s.5 3.5-2 3.5M5.5 7h.01M8 5h.01M10.5 7h.01" />,
);
export const JobsIcon = icon(<path d="M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M8 5v3l2 1.5" />);
export const IntakeIcon = icon(
  <path d="M2.5 9.5h3l1 1.5h3l1-1.5h3M2.5 9.5v4h11v-4l-2-6h-7zM8 2.5v4.5M8 7 6.5 5.5M8 7l1.5-1.5" />,
);
export const SearchIcon = icon(<path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.5 10.5l3 3" />);
export const CopyIcon = icon(<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />);
export const CheckIcon = icon(<path d="M3 8.5l3.2 3.2L13 4.8" />);
export const CloseIcon = icon(<path d="M4 4l8 8M12 4l-8 8" />);
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const ChevronDownIcon = icon(<path d="M4 6l4 4 4-4" />);
export const ChevronRightIcon = icon(<path d="M6 4l4 4-4 4" />);
export const ChevronLeftIcon = icon(<path d="M10 4 6 8l4 4" />);
export const ArrowLeftIcon = icon(<path d="M13 8H3M7 4 3 8l4 4" />);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const DownloadIcon = icon(<path d="M8 2.5v8M8 10.5 5 7.5M8 10.5l3-3M2.5 13.5h11" />);
export const UploadIcon = icon(<path d="M8 10.5v-8M8 2.5 5 5.5M8 2.5l3 3M2.5 13.5h11" />);
export const SunIcon = icon(
  <path d="M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5M8 1.75v1M8 13.25v1M1.75 8h1M13.25 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M12.4 3.6l-.7.7M4.3 11.7l-.7.7" />,
);
export const MoonIcon = icon(<path d="M13.5 9.5A5.75 5.75 0 0 1 6.5 2.5a5.75 5.75 0 1 0 7 7z" />);
export const LanguageIcon = icon(
  <path d="M2.5 4h6M5.5 2.5V4M7.5 4c-.5 2.7-2.2 4.7-5 6M4 6c.7 1.7 2 3 3.8 3.8M8 13.5l2.75-6.5 2.75 6.5M9 11.5h3.5" />,
);
export const SignOutIcon = icon(<path d="M6.5 2.5h-4v11h4M6.5 8h7M13.5 8 11 5.5M13.5 8 11 10.5" />);
