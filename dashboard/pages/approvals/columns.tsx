import { Button } from "@mantine/core";
import type { RequestRow } from "../../../src/admin/approvals/schema.ts";
import { useSession } from "../../api/session.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { Clamped } from "../../ui/values/clamped.tsx";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./approvals.module.css";
import type { Decision } from "./decision-dialog.tsx";
import { Moved, Requested, Subject } from "./request-parts.tsx";
import { words } from "./words.ts";

type OnDecide = (row: RequestRow, decision: Decision) => void;

export function useRequestColumns(isWaiting: boolean, onDecide: OnDecide): readonly Column<RequestRow>[] {
  const t = useWords(words);
  const last: Column<RequestRow> = isWaiting
    ? {
        key: "decide",
        onPhone: "second",
        header: t.decide,
        align: "right",
        render: (row) => <Actions {...{ row, onDecide }} />,
      }
    : { key: "state", onPhone: "second", header: t.state, render: (row) => <Decided row={row} /> };
  return [
    { key: "subject", onPhone: "first", header: t.subject, width: "160px", render: (row) => <Subject row={row} /> },
    {
      key: "points",
      onPhone: "first",
      header: t.points,
      align: "right",
      width: "96px",
      render: (row) => <Moved row={row} />,
    },
    { key: "requested", onPhone: "second", header: t.requested, render: (row) => <Requested row={row} /> },
    { key: "reason", onPhone: "second", header: t.reason, render: (row) => <Reason row={row} /> },
    { key: "by", onPhone: "second", header: t.askedBy, render: (row) => <Asker row={row} /> },
    last,
  ];
}

/** Names are not unique and people can change their own, so the e-mail identifies the requester. */
function Asker({ row }: { row: RequestRow }) {
  return (
    <span className={classes["asker"]}>
      {row.requested_name}
      <span className={classes["quiet"]}>{row.requested_email}</span>
      <span className={classes["quiet"]}>
        <Time at={row.requested_at} />
      </span>
    </span>
  );
}

function Reason({ row }: { row: RequestRow }) {
  const t = useWords(words);
  const reasons: Readonly<Record<string, string>> = t.reasons;
  const kind = row.reason_type === null ? null : (reasons[row.reason_type] ?? row.reason_type);
  return <Clamped>{[kind, row.note].filter((part) => part !== null).join(" · ")}</Clamped>;
}

const TONES: Readonly<Record<string, Tone>> = { approved: "good", refused: "bad" };

function Decided({ row }: { row: RequestRow }) {
  const t = useWords(words);
  const states: Readonly<Record<string, string>> = t.states;
  const state = states[row.state] ?? row.state;
  return (
    <Clamped>
      <StateBadge tone={TONES[row.state] ?? "neutral"}>
        {row.decided_name === null ? state : t.by(state, row.decided_name)}
      </StateBadge>{" "}
      {row.decision_note}
    </Clamped>
  );
}

function Actions({ row, onDecide }: { row: RequestRow; onDecide: OnDecide }) {
  const t = useWords(words);
  const { can } = useSession();
  if (row.is_own && can("points.adjust")) {
    return (
      <Button size="compact-sm" variant="default" title={t.own} onClick={() => onDecide(row, "withdraw")}>
        {t.withdraw}
      </Button>
    );
  }
  if (row.is_own || !can("adjustments.approve")) return <span className={classes["quiet"]}>{t.own}</span>;
  return (
    <span className={classes["actions"]}>
      <Button size="compact-sm" variant="default" onClick={() => onDecide(row, "refuse")}>
        {t.refuse}
      </Button>
      {row.is_requester_disabled ? (
        <span className={classes["quiet"]}>{t.requesterDisabled}</span>
      ) : (
        <Button size="compact-sm" onClick={() => onDecide(row, "approve")}>
          {t.approve}
        </Button>
      )}
    </span>
  );
}
