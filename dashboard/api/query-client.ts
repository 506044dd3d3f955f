import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { isChangedMeanwhile } from "./changed-meanwhile.ts";
import { SESSION_KEY } from "./session.ts";

const STALE_MS = 10_000;
const RETRIES_MAX = 2;

/** Whether the page has an outdated session: it has ended, or the person has another role by now. */
function isOfOldSession(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || (error.status === 403 && error.title === "Forbidden"));
}

/**
 * Creates the cache of queries. A refusal (4xx) is not retried; a session that has ended leads to the sign-in, and after a
 * refusal by role the page offers what the role of now allows. What others changed meanwhile is read again. A change is sent at once or fails: by
 * default it would be kept while there is no connection and sent later, when the person has long pressed Cancel.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isOfOldSession(error)) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error) => {
        onError(error);
        if (isChangedMeanwhile(error)) void client.invalidateQueries();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (count, error) =>
          count < RETRIES_MAX && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
  return client;
}
