import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { apiSend, dataQuery } from "../../api/client.ts";
import { newUid } from "../../api/new-uid.ts";

/** How often it is asked whether a second person has decided. */
const DECISION_MS = 5_000;

/** The key of all queries about one customer, which are read again after each change. */
export function customerKey(id: string) {
  return ["customers", "one", id] as const;
}

export function customerPath(id: string): string {
  return `/customers/${encodeURIComponent(id)}`;
}

export const headQuery = (id: string) => ({
  queryKey: [...customerKey(id), "head"],
  queryFn: dataQuery<CustomerHead>(customerPath(id)),
});

/** The head of a customer's page. */
export function useCustomer(id: string) {
  const refetchInterval = ({ state }: { state: { data: CustomerHead | undefined } }) =>
    (state.data?.waiting.length ?? 0) > 0 ? DECISION_MS : false;
  return useQuery({ ...headQuery(id), refetchInterval });
}

/** Sends a change of the customer and reads the page again. */
export function useCustomerChange<Answer>(id: string, onDone: (answer: Answer) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: { method: "POST" | "PUT" | "DELETE"; path: string; body?: object }) =>
      apiSend<{ data: Answer }>(method, customerPath(id) + path, body),
    onSuccess: async ({ data }) => {
      onDone(data);
      await Promise.all(
        [["customers"], ["approvals"], ["ledger"]].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
}

/** Returns the path and body of undoing an adjustment; one click is one request, so that a retry counts once. */
export function undoOf(uid: string) {
  return { method: "POST", path: `/adjustments/${uid}/undo`, body: { request_uid: newUid() } } as const; // cast: the method is one of two
}
