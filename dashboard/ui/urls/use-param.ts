import { useParams } from "@tanstack/react-router";

/** Returns a named part of the page's path (`/webhooks/{-$uid}`), or null if the address does not have it. */
export function useParam(name: string): string | null {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? null;
}
