import type { Scope } from "../../wire/access.ts";

/** The sender of a request. */
export interface Credential {
  readonly uid: string;
  /** The `app_reference` of its postings. */
  readonly name: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
}

/** Finds the credential of an `authorization` header: immediately if it is known, otherwise as a promise; null: unknown. */
export type Authenticate = (authorization: string) => Credential | null | Promise<Credential | null>;

/** A request of a credential that was answered. */
export interface ServedRequest {
  readonly credentialUid: string;
  readonly id: string;
  /** Method and pattern, never the URL. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** Called with each request of a credential when it is answered: it records the request and returns at once. */
export type OnAnswered = (request: ServedRequest) => void;

/** Called with the address of each request that is answered 401, outside the dashboard: it counts and returns at once. */
export type OnFailure = (address: string) => void;
