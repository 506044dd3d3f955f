/** What a credential may do (program.md 2). */
export const SCOPES = ["read", "write", "webhooks", "intake", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of the dashboard, from the one who may do the most; each may do what those after it may. */
export const ROLES = ["owner", "manager", "support", "viewer"] as const;
export type Role = (typeof ROLES)[number];
