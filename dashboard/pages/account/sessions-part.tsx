import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedSessionRow } from "../../../src/admin/session/schema.ts";
import { apiGet, apiSend } from "../../api/client.ts";
import { forgetPage, keepPage } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { SessionList } from "../../ui/session-list.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useWords } from "../../words/use-words.ts";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

const KEY = ["account", "sessions"] as const;

/** The sessions of the account, with device and place; one or all of them can be ended. */
export function SessionsPart() {
  const t = useWords(words);
  const [isAsking, setIsAsking] = useState(false);
  const client = useQueryClient();
  const list = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await apiGet<{ data: ListedSessionRow[] }>("/account/sessions", {}, signal)).data,
  });
  const endOne = useMutation({
    mutationFn: (uid: string) => apiSend("DELETE", `/account/sessions/${uid}`, {}),
    onSuccess: () => notifyDone(t.sessionEnded),
    onError: notifyFailed,
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const end = useAccount("DELETE", "/sessions", () => undefined);
  return (
    <Section title={t.sessionsTitle}>
      <SessionList sessions={list.data ?? []} isBusy={endOne.isPending} onEnd={({ uid }) => endOne.mutate(uid)} />
      <div>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t.sessionsEnd}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={t.sessionsEnd}
        confirm={t.sessionsEnd}
        tone="bad"
        isBusy={end.isPending}
        onConfirm={() => {
          forgetPage();
          end.mutate({}, { onError: keepPage });
        }}
        onClose={() => setIsAsking(false)}
      >
        {t.sessionsWhat}
      </ConfirmDialog>
    </Section>
  );
}
