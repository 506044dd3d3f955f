import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  ReceiptAnswer,
  ReceiptPage,
  ReceiptSummary,
  ReprocessAllAnswer,
} from "../../../src/admin/intake/schema.ts";
import { apiGet, apiQuery, apiSend, dataQuery } from "../../api/client.ts";
import { countQuery } from "../../ui/lists/count-query.ts";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";

const KEY = "intake";
/** Receipts arrive and are processed while the page is open. */
const REFRESH_MS = 10_000;

export const NO_FILTER = { state: "", warned: "", topic: "", subject: "", after: "" };
export type ReceiptFilter = Readonly<typeof NO_FILTER>;

export function useReceiptFilter() {
  return useUrlState(NO_FILTER);
}

export const receiptsQuery = (filter: ReceiptFilter) => ({
  queryKey: [KEY, "list", filter],
  queryFn: apiQuery<ReceiptPage>("/intake/receipts", filter),
});

export function useReceipts(filter: ReceiptFilter) {
  return useQuery({
    ...receiptsQuery(filter),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export const receiptsCountQuery = (filter: ReceiptFilter) =>
  countQuery(KEY, "/intake/receipts/count", { filter, isMoving: true });

export const SUMMARY_QUERY = {
  queryKey: [KEY, "summary"],
  queryFn: dataQuery<ReceiptSummary["data"]>("/intake/summary"),
};

export function useSummary() {
  return useQuery({ ...SUMMARY_QUERY, refetchInterval: REFRESH_MS });
}

export function useReceipt(uid: string) {
  return useQuery({
    queryKey: [KEY, "one", uid],
    queryFn: async ({ signal }) => (await apiGet<ReceiptAnswer>(`/intake/receipts/${uid}`, {}, signal)).data,
    refetchInterval: REFRESH_MS,
  });
}

/** Sends a change, reads everything here again, then calls `onDone`. */
export function useChange<Answer>(send: () => Promise<Answer>, onDone: (answer: Answer) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (answer) => {
      onDone(answer);
      await client.invalidateQueries({ queryKey: [KEY] });
    },
    onError: notifyFailed,
  });
}

/** Processes all failed receipts again, in pieces; returns the number. */
export async function reprocessFailed(): Promise<number> {
  let next: string | null = null;
  let reprocessed = 0;
  do {
    const body = { state: "failed", ...(next === null ? {} : { after: next }) };
    const answer: ReprocessAllAnswer = await apiSend<ReprocessAllAnswer>("POST", "/intake/reprocess", body);
    reprocessed += answer.data.reprocessed;
    next = answer.data.next;
  } while (next !== null);
  return reprocessed;
}
