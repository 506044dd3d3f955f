import type { Permission } from "../../../src/staff/permissions.ts";
import { topicSlug } from "../../ui/urls/address.ts";

/** Pages that not every reader of the log may open. */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  staff: "people.manage",
  credential: "credentials.manage",
  api: "credentials.manage",
  api_secret_key: "credentials.manage",
  alert_settings: "alerts.manage",
  report: "reports.manage",
  report_settings: "reports.manage",
  message: "messages.manage",
  message_rule: "messages.manage",
};

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const PLACES: Readonly<Record<string, (id: string) => string>> = {
  customer: (id) => `/customers/${encodeURIComponent(id)}`,
  order: (id) => `/orders/${encodeURIComponent(id)}`,
  staff: (id) => (id === "unknown" ? "/people" : `/people/${id}`),
  credential: () => "/credentials",
  api: () => "/credentials",
  api_secret_key: () => "/credentials",
  alert_settings: () => "/alerts",
  report: () => "/reports",
  report_settings: () => "/reports",
  message: (kind) => `/messages/${encodeURIComponent(kind)}`,
  message_rule: () => "/messages",
  subscription: (topic) => (topic === "all" ? "/webhooks" : `/webhooks/topic/${topicSlug(topic)}`),
  delivery: (id) => `/webhooks/delivery/${encodeURIComponent(id)}`,
  program: (version) => `/program/versions?open=${encodeURIComponent(version)}`,
  job: (id) => `/jobs/${encodeURIComponent(id)}`,
  receipt: (id) => (UID.test(id) ? `/intake/${id}` : "/intake"),
  import: (id) => `/csv/imports/${encodeURIComponent(id)}`,
  export: () => "/csv/exports",
  ledger: () => "/ledger",
  segment: (id) => `/segments/${encodeURIComponent(id)}`,
};

/** Returns the page of an entry's subject; null: it has none, or none that the reader may open. */
export function subjectPath(
  { kind, id }: { readonly kind: string; readonly id: string },
  can: (permission: Permission) => boolean,
): string | null {
  const isAllowed = can(PERMISSIONS[kind] ?? "view");
  return isAllowed ? (PLACES[kind]?.(id) ?? null) : null;
}
