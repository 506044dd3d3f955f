import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AuditChoices, AuditEntry } from "../../../src/admin/audit/schema.ts";
import { apiGet, apiQuery, dataQuery } from "../../api/client.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";

/** The filters in the address. */
export const NO_FILTER = { actor: "", action: "", subject_kind: "", subject_id: "", from: "", to: "", after: "" };

export function useAuditFilter() {
  return useUrlState(NO_FILTER);
}

export type AuditFilter = Readonly<typeof NO_FILTER>;

export const auditQuery = (filter: AuditFilter) => ({
  queryKey: ["audit", filter],
  queryFn: apiQuery<{ data: AuditEntry[]; next: string | null }>("/audit", filter),
});

/** A page of the log. */
export function useAudit(filter: AuditFilter) {
  return useQuery({ ...auditQuery(filter), placeholderData: keepPreviousData });
}

export function useAuditEntry(id: string) {
  return useQuery({
    queryKey: ["audit", "entry", id],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: AuditEntry }>(`/audit/${encodeURIComponent(id)}`, {}, signal)).data,
  });
}

export const AUDIT_CHOICES_QUERY = {
  queryKey: ["audit", "choices"],
  queryFn: dataQuery<AuditChoices>("/audit/choices"),
};

/** The actions and the names by which the log can be filtered. */
export function useAuditChoices() {
  return useQuery(AUDIT_CHOICES_QUERY);
}
