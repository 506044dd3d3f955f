import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AuditChoices, AuditEntry } from "../../../src/admin/audit/schema.ts";
import { apiGet } from "../../api/client.ts";
import { useUrlState } from "../../ui/use-url-state.ts";

/** What the address narrows the log to. */
export const NO_FILTER = { actor: "", action: "", subject_kind: "", subject_id: "", from: "", to: "", after: "" };

export function useAuditFilter() {
  return useUrlState(NO_FILTER);
}

export type AuditFilter = Readonly<typeof NO_FILTER>;

/** A page of the log. */
export function useAudit(filter: AuditFilter) {
  return useQuery({
    queryKey: ["audit", filter],
    queryFn: ({ signal }) => apiGet<{ data: AuditEntry[]; next: string | null }>("/audit", filter, signal),
    placeholderData: keepPreviousData,
  });
}

export function useAuditEntry(id: string) {
  return useQuery({
    queryKey: ["audit", "entry", id],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: AuditEntry }>(`/audit/${encodeURIComponent(id)}`, {}, signal)).data,
  });
}

/** The actions and the names that the log can be narrowed to. */
export function useAuditChoices() {
  return useQuery({
    queryKey: ["audit", "choices"],
    queryFn: async ({ signal }) => (await apiGet<{ data: AuditChoices }>("/audit/choices", {}, signal)).data,
  });
}
