import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccessNotice } from "../../src/admin/people/schema.ts";
import { apiGet, apiSend } from "../api/client.ts";
import { notifyFailed } from "../ui/states/notify-failed.tsx";
import { Time } from "../ui/values/time.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./access-notices.module.css";
import { words } from "./words.ts";

const KEY = ["access-notices"] as const;
const LOOK_AGAIN_MS = 60_000;
const FIRST = 3;

/** Notices at the top of an owner's pages about changes of people's access, until they are dismissed. */
export function AccessNotices() {
  const t = useWords(words);
  const { data: notices = [] } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await apiGet<{ data: AccessNotice[] }>("/access-notices", {}, signal)).data,
    refetchInterval: LOOK_AGAIN_MS,
  });
  const [isWhole, setIsWhole] = useState(false);
  const dismiss = useDismiss();
  if (notices.length === 0) return null;
  const shown = isWhole ? notices : notices.slice(0, FIRST);
  return (
    <section className={classes["notices"]} aria-label={t.accessNotices}>
      <ul className={classes["list"]}>
        {shown.map((notice) => (
          <li key={notice.uid} className={classes["notice"]}>
            <span className={classes["text"]}>
              <Sentence notice={notice} /> (<Time at={notice.at} />)
            </span>
            <button type="button" className={classes["act"]} onClick={() => dismiss.mutate([notice.uid])}>
              {t.dismiss}
            </button>
          </li>
        ))}
      </ul>
      {notices.length === 1 ? null : (
        <div className={classes["more"]}>
          {notices.length === shown.length ? null : (
            <button type="button" className={classes["act"]} onClick={() => setIsWhole(true)}>
              {t.moreNotices(notices.length - shown.length)}
            </button>
          )}
          <button
            type="button"
            className={classes["act"]}
            onClick={() => dismiss.mutate(notices.map((notice) => notice.uid))}
          >
            {t.dismissAll}
          </button>
        </div>
      )}
    </section>
  );
}

function Sentence({ notice }: { notice: AccessNotice }) {
  const t = useWords(words);
  const { by_command: isCommand, by_provider: isProvider, by_name: name } = notice;
  return t.accessChanges[notice.kind](
    isCommand ? t.byCommand(name) : isProvider ? t.byProvider(name) : t.byPerson(name),
    notice.name,
    t.roles[notice.role],
  );
}

function useDismiss() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uids: readonly string[]) => apiSend("POST", "/access-notices/dismiss", { uids }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    onError: notifyFailed,
  });
}
