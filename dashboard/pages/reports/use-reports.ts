import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReportsInput, ShownReports } from "../../../src/admin/reports/schema.ts";
import { apiSend, dataQuery } from "../../api/client.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyUnlessField } from "../../ui/states/notify-failed.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const KEY = ["reports"];

export const REPORTS_QUERY = { queryKey: KEY, queryFn: dataQuery<ShownReports>("/reports") };

/** Settings and the latest reports. */
export function useReports() {
  return useQuery(REPORTS_QUERY);
}

/** Replaces the settings; the fault of a field is shown beside it. `onSaved` is called with the revision that the next change is based on. */
export function useChangeReports(onSaved: (revision: string) => void) {
  const client = useQueryClient();
  const t = useWords(words);
  return useMutation({
    mutationFn: (input: ReportsInput) => apiSend<{ data: ShownReports }>("PUT", "/reports", input),
    onSuccess: ({ data }) => {
      client.setQueryData(KEY, data);
      onSaved(data.revision);
      notifyDone(t.saved);
    },
    onError: notifyUnlessField,
  });
}
