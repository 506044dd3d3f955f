import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AlertsInput, ShownAlerts, ShownAlertTest } from "../../../src/admin/alerts/schema.ts";
import { apiSend, dataQuery } from "../../api/client.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed, notifyUnlessField } from "../../ui/states/notify-failed.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const KEY = ["alerts"];

export const ALERTS_QUERY = { queryKey: KEY, queryFn: dataQuery<ShownAlerts>("/alerts") };

/** Settings and the latest alerts. */
export function useAlerts() {
  return useQuery(ALERTS_QUERY);
}

/** Replaces the settings; the fault of a field is shown beside it. `onSaved` is called with the revision that the next change is based on. */
export function useChangeAlerts(onSaved: (revision: string) => void) {
  const client = useQueryClient();
  const t = useWords(words);
  return useMutation({
    mutationFn: (input: AlertsInput) => apiSend<{ data: ShownAlerts }>("PUT", "/alerts", input),
    onSuccess: ({ data }) => {
      client.setQueryData(KEY, data);
      notifyDone(t.saved);
      onSaved(data.revision);
    },
    onError: notifyUnlessField,
  });
}

/** Sends a test and shows the result. */
export function useTestAlert() {
  const client = useQueryClient();
  const t = useWords(words);
  const format = useFormat();
  return useMutation({
    mutationFn: () => apiSend<{ data: ShownAlertTest }>("POST", "/alerts/test", {}),
    onSuccess: ({ data }) => {
      if (data.mails > 0) notifyDone(t.tested(format.number(data.mails)));
      else if (!data.has_mail && data.webhook === "none") notifyDone(t.noMail);
      else if (data.webhook === "none") notifyDone(t.testedNobody);
      if (data.webhook === "taken") notifyDone(t.testedWebhook);
      if (data.webhook === "failed") notifyDone(t.testFailed(data.webhook_error ?? ""));
      void client.invalidateQueries({ queryKey: KEY });
    },
    onError: notifyFailed,
  });
}
