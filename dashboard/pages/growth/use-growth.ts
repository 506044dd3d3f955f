import { useQuery } from "@tanstack/react-query";
import { apiGet } from "../../api/client.ts";

const REFRESH_MS = 60_000;

/** A part of the growth, by its path. */
export function useGrowth<Answer>(path: "/growth" | "/growth/guests" | "/growth/joined" | "/growth/tiers") {
  return useQuery({
    queryKey: ["growth", path],
    queryFn: ({ signal }) => apiGet<Answer>(path, {}, signal),
    refetchInterval: REFRESH_MS,
  });
}
