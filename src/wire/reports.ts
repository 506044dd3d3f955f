/** The kinds of reports, in the order of the page. */
export const REPORT_KINDS = ["ledger", "liability", "customers"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const REPORT_FREQUENCIES = ["weekly", "monthly"] as const;
export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number];

export const REPORT_ADDRESSES_MAX = 10;

/** The state of a report. */
export const REPORT_STATES = ["making", "ready", "failed"] as const;
