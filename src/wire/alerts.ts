/** What people are notified of, in the order of the settings. */
export const ALERT_KINDS = [
  "receiver_dead",
  "job_troubled",
  "ledger_breach",
  "backup_old",
  "grant_unusual",
  "approval_waiting",
  "disk_low",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const ALERT_ADDRESSES_MAX = 10;
