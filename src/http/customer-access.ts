import type { Problem } from "../problems.ts";
import type { CustomerScope } from "../wire/access.ts";

/** The one customer whom a request may ask about, as a token says that the store's server signed. */
export interface AuthenticatedCustomer {
  /** Storefront id; never an e-mail. */
  readonly customerId: string;
  /** Of the id: limits and Idempotency-Keys count by it. */
  readonly customerUid: string;
  readonly scopes: readonly CustomerScope[];
  /** The storefront key that signed. */
  readonly keyName: string;
  readonly kid: string;
}

/** Verifies the token of an `authorization` header; returns the refusal where it is none. */
export type AuthenticateCustomer = (header: string | undefined) => Promise<AuthenticatedCustomer | Problem>;
