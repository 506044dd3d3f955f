import { useQuery } from "@tanstack/react-query";
import { apiGet } from "../../api/client.ts";

const LOOK_AGAIN_MS = 60_000;

interface Approvals {
  readonly waiting: number;
  /** How many other people may approve. */
  readonly other_approvers: number;
}

/** The number of waiting requests, and who else may decide them; undefined: not known yet. */
export function useApprovals(): Approvals | undefined {
  const { data } = useQuery({
    queryKey: ["approvals", "waiting"],
    queryFn: async ({ signal }) => (await apiGet<{ data: Approvals }>("/approvals/waiting", {}, signal)).data,
    refetchInterval: LOOK_AGAIN_MS,
  });
  return data;
}
