import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./tracer.ts";

/** The request that is being served: what its lines of the log and what it starts are known by. */
export interface RequestScope {
  readonly id: string;
  /** Null: tracing is off. */
  readonly span: Span | null;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs `work`, and all that it starts, as part of a request. */
export function runInRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work);
}

/** Runs `work` as part of no request: for work that many requests share. */
export function runOutsideRequests<T>(work: () => T): T {
  return scopes.getStore() === undefined ? work() : scopes.exit(work);
}

/** The request whose work this is; undefined: background work, or that of many requests. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** The trace context of the request whose work this is; undefined: none, or tracing is off. */
export function currentTraceparent(): string | undefined {
  return scopes.getStore()?.span?.traceparent;
}

/** Visible ASCII: nothing that breaks a line of a log or a header. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The id that a request brings, or undefined where it brings none that is taken: 1 to 128 characters of visible ASCII, no space. */
export function givenRequestId(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" && REQUEST_ID.test(header) ? header : undefined;
}

/**
 * Returns a maker of ids of requests that brought none: `prefix`, which is this process's own, and a counter. An id is unique, not
 * secret.
 */
export function createRequestIds(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
