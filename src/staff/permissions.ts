import { ROLES, type Role } from "../wire/access.ts";

/** The lowest role that has each permission in the dashboard. */
const LEAST_ROLES = {
  view: "viewer",
  "lists.export": "support",
  "views.share": "support",
  "segments.change": "support",
  "customers.change": "support",
  "points.adjust": "support",
  "tiers.place": "support",
  "orders.recompute": "support",
  "intake.reprocess": "support",
  "adjustments.approve": "manager",
  "customers.manage": "manager",
  "program.change": "manager",
  "imports.run": "manager",
  "exports.request": "manager",
  "webhooks.manage": "manager",
  "jobs.run": "manager",
  "liability.manage": "manager",
  "messages.manage": "manager",
  "audit.view": "manager",
  "theme.change": "manager",
  "credentials.manage": "owner",
  "people.manage": "owner",
  "alerts.manage": "owner",
  "reports.manage": "owner",
  "limit.change": "owner",
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof LEAST_ROLES;

export const PERMISSIONS = Object.keys(LEAST_ROLES) as readonly Permission[]; // cast: the keys of the object above

export function can(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(LEAST_ROLES[permission]);
}

export function permissionsOf(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => can(role, permission));
}
