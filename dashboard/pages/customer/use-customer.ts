import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { apiGet, apiSend } from "../../api/client.ts";

/** Everything below it is of one customer: read anew after each change. */
export function customerKey(id: string) {
  return ["customers", "one", id] as const;
}

export function customerPath(id: string): string {
  return `/customers/${encodeURIComponent(id)}`;
}

/** The head of a customer's page. */
export function useCustomer(id: string) {
  return useQuery({
    queryKey: [...customerKey(id), "head"],
    queryFn: async ({ signal }) => (await apiGet<{ data: CustomerHead }>(customerPath(id), {}, signal)).data,
  });
}

/** Sends a change of the customer and reads the page anew. */
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

/** An adjustment's path and body to undo it; one click is one request, so that a retry counts once. */
export function undoOf(uid: string) {
  return { method: "POST", path: `/adjustments/${uid}/undo`, body: { request_uid: newUid() } } as const; // cast: the method is one of two
}

const UUID_BYTES = 16;

/** A random UUID, also where the page is not served by https and `crypto.randomUUID` is not there. */
export function newUid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(UUID_BYTES));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
