import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { JobAnswer, JobList } from "../../../src/admin/jobs/schema.ts";
import { apiGet, apiSend, dataQuery } from "../../api/client.ts";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";

const KEY = "jobs";
/** Runs begin and end while the page is open. */
const REFRESH_MS = 5_000;
/** A requested run begins within a second or two. */
const WATCH_MS = 1_000;

export const JOBS_QUERY = { queryKey: [KEY, "list"], queryFn: dataQuery<JobList["data"]>("/jobs") };

export function useJobs() {
  return useQuery({
    ...JOBS_QUERY,
    refetchInterval: ({ state }) => intervalMs(state.data?.some(isMoving) ?? false),
  });
}

export function useJob(name: string) {
  return useQuery({
    queryKey: [KEY, "one", name],
    queryFn: async ({ signal }) => (await apiGet<JobAnswer>(pathOf(name), {}, signal)).data,
    refetchInterval: ({ state }) => intervalMs(state.data !== undefined && isMoving(state.data)),
  });
}

/** Requests a run, reads everything here again, then calls `onDone`. */
export function useRunNow(name: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend("POST", `${pathOf(name)}/run`, {}),
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries({ queryKey: [KEY] });
    },
    onError: notifyFailed,
  });
}

function pathOf(name: string): string {
  return `/jobs/${encodeURIComponent(name)}`;
}

function isMoving(job: { is_running: boolean; is_asked: boolean }): boolean {
  return job.is_running || job.is_asked;
}

function intervalMs(moves: boolean): number {
  return moves ? WATCH_MS : REFRESH_MS;
}
