import { useParams } from "@tanstack/react-router";

/** A part of the page's path by its name (`/webhooks/{-$uid}`), null when the address does not have it. */
export function useParam(name: string): string | null {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? null;
}
