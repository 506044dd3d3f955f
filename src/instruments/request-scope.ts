import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./tracer.ts";

/** The request that is being served, by which its log lines and the work that it starts are identified. */
export interface RequestScope {
  readonly id: string;
  /** Null: tracing is off. */
  readonly span: Span | null;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs `work`, and everything that it starts, as part of a request. */
export function runInRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work);
}

/** Runs `work` outside of any request: for work that many requests share. */
export function runOutsideRequests<T>(work: () => T): T {
  return scopes.getStore() === undefined ? work() : scopes.exit(work);
}

/** Returns the current request; undefined: background work, or work that many requests share. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** Returns the trace context of the current request; undefined: none, or tracing is off. */
export function currentTraceparent(): string | undefined {
  return scopes.getStore()?.span?.traceparent;
}

/** Visible ASCII: nothing that breaks a log line or a header. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Returns the id that a request has, or undefined if it has no valid one: 1 to 128 characters of visible ASCII, no space. */
export function givenRequestId(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" && REQUEST_ID.test(header) ? header : undefined;
}

/**
 * Returns a function that makes ids for requests without one, from `prefix`, which is unique to this process, and a counter. An id is unique but not
 * secret.
 */
export function createRequestIds(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
