import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FilterBody, SegmentRow, SegmentsAnswer } from "../../../src/admin/segments/schema.ts";
import { apiQuery, apiSend } from "../../api/client.ts";

const KEY = "segments";
const WATCH_MS = 2_000;
const REFRESH_MS = 60_000;

export const SEGMENTS_QUERY = {
  queryKey: [KEY, "all"],
  queryFn: apiQuery<SegmentsAnswer>("/segments"),
};

/** Segments with their counts; read often while one is being counted. */
export function useSegments() {
  return useQuery({
    ...SEGMENTS_QUERY,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ progress }) => progress !== null) === true ? WATCH_MS : REFRESH_MS,
  });
}

export interface SegmentInput {
  readonly name: string;
  readonly filter: FilterBody;
  /** Of the segment that the form was opened with. */
  readonly revision?: string;
}

/** Changes segments, and reads them again. */
export function useSegmentChange<Input, Answer>(
  work: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: async (answer) => {
      onDone(answer);
      await client.invalidateQueries({ queryKey: [KEY] });
    },
  });
}

export function saveSegment(uid: string | null, input: SegmentInput): Promise<{ data: SegmentRow }> {
  return uid === null ? apiSend("POST", "/segments", input) : apiSend("PUT", `/segments/${uid}`, input);
}
