/** What a credential may do (program.md 2). */
export const SCOPES = ["read", "write", "webhooks", "intake", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of the dashboard, the most powerful first; each may do what the later ones may. */
export const ROLES = ["owner", "manager", "support", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** What a token of one customer may do (docs/widget.md); every token may read. */
export const CUSTOMER_SCOPES = ["read", "redeem"] as const;
export type CustomerScope = (typeof CUSTOMER_SCOPES)[number];

/** The outcome of a credential's request: below 400, refused (4xx), failed (5xx). */
export const REQUEST_OUTCOMES = ["done", "refused", "failed"] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];
