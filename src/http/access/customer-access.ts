import type { Problem } from "../../problems.ts";
import type { CustomerScope } from "../../wire/access.ts";

/** The customer to whom a request has access, according to a token signed by the store's server. */
export interface AuthenticatedCustomer {
  /** Storefront id; never an e-mail. */
  readonly customerId: string;
  /** The uid for the id: limits and Idempotency-Keys count by it. */
  readonly customerUid: string;
  readonly scopes: readonly CustomerScope[];
  /** The storefront key that signed the token. */
  readonly keyName: string;
  readonly kid: string;
}

/** Verifies the token of an `authorization` header; returns the refusal if it is invalid. */
export type AuthenticateCustomer = (header: string | undefined) => Promise<AuthenticatedCustomer | Problem>;
