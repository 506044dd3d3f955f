import { useQuery } from "@tanstack/react-query";
import { apiGet } from "../api/client.ts";
import { useWords } from "../words/use-words.ts";
import classes from "./approvals-mark.module.css";
import { words } from "./approvals-words.ts";
import { ApprovalsIcon } from "./icons.tsx";

const LOOK_AGAIN_MS = 60_000;

/** The icon of the approvals, with how many wait. */
export function ApprovalsMark() {
  const t = useWords(words);
  const { data: waiting = 0 } = useQuery({
    queryKey: ["approvals", "waiting"],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: { waiting: number } }>("/approvals/waiting", {}, signal)).data.waiting,
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <span className={classes["mark"]}>
      <ApprovalsIcon />
      {waiting === 0 ? null : (
        <span className={classes["count"]} title={t.waiting(waiting)}>
          {waiting}
        </span>
      )}
    </span>
  );
}
