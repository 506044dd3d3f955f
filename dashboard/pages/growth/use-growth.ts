import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "../../api/client.ts";

const REFRESH_MS = 60_000;

type GrowthPath = "/growth" | "/growth/guests" | "/growth/joined" | "/growth/tiers";

export function growthQuery<Answer>(path: GrowthPath) {
  return {
    queryKey: ["growth", path],
    queryFn: apiQuery<Answer>(path),
  };
}

/** A part of the growth, by its path. */
export function useGrowth<Answer>(path: GrowthPath) {
  return useQuery({ ...growthQuery<Answer>(path), refetchInterval: REFRESH_MS });
}
