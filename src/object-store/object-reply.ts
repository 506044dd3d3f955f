import { readFailure } from "./object-place.ts";

/** The answer of an object store to a request. */
export interface Reply {
  readonly status: number;
  readonly bytes: Buffer;
  /** Every object store sends the ETag of an object that it stored; a web page that answers every request does not. */
  readonly hasTag: boolean;
}

export const OK = 200;
const BAD_REQUEST = 400;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
const REQUEST_TIMEOUT = 408;
export const CONFLICT = 409;
export const PRECONDITION_FAILED = 412;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
export const NOT_IMPLEMENTED = 501;
/** A 404 without it is of the bucket, or of a proxy that did not reach the store: it does not say that an object is missing, or was removed. */
const NO_SUCH_KEY = "NoSuchKey";
/** Amazon answers 400 to a body that comes too slowly, and 409 while another request for the same name, such as an earlier attempt, is in progress. */
const PASSING_CODE = /^(?:RequestTimeout|ConditionalRequestConflict|OperationAborted)(?::|$)/;

/** Whether the store says that it has no object of the name. */
export function isAbsent({ status, bytes }: Reply): boolean {
  return status === NOT_FOUND && readFailure(bytes.toString("utf8")).startsWith(NO_SUCH_KEY);
}

/** Whether a store refuses an object that may be missing: some do so where the credentials may list only a prefix. */
export function isForbidden({ status }: Reply): boolean {
  return status === FORBIDDEN;
}

/** Whether the same request can succeed later. */
export function isPassing({ status, bytes }: Reply): boolean {
  if (status >= SERVER_ERROR) return status !== NOT_IMPLEMENTED;
  if (status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT) return true;
  const isPassingCode = status === BAD_REQUEST || status === CONFLICT;
  return isPassingCode && PASSING_CODE.test(readFailure(bytes.toString("utf8")));
}
