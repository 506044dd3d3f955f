import { toApiError } from "./api-error.ts";

/** Parses the body of a successful answer; an empty one is undefined. Throws ApiError if it is not the service's, such as a page of a network's sign-in. */
export function bodyOf<T>(status: number, text: string): T {
  try {
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return body as T; // cast: the caller names the type, which is that of the route's schema
  } catch {
    throw toApiError(status, text, null);
  }
}
