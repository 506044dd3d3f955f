import { SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestRow } from "../../../src/admin/approvals/schema.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { NoOtherApprover } from "../../ui/approvals/no-other-approver.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./approvals.module.css";
import { useRequestColumns } from "./columns.tsx";
import { type Decision, DecisionDialog } from "./decision-dialog.tsx";
import { words } from "./words.ts";

/** Others ask and decide meanwhile. */
const REFRESH_MS = 5_000;
const NOTHING_ASKED = { list: "waiting", after: "" };
const LIST = { list: "approvals", path: "/approvals", file: "/approvals.csv", defaults: NOTHING_ASKED } as const;

const listQuery = (asked: typeof NOTHING_ASKED) => ({
  queryKey: ["approvals", "list", asked],
  queryFn: apiQuery<{ data: RequestRow[]; next: string | null }>("/approvals", asked),
});

/** Requests that wait for a second person, and earlier decisions. */
export function ApprovalsPage() {
  const t = useWords(words);
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const [deciding, setDeciding] = useState<{ row: RequestRow; decision: Decision } | null>(null);
  const { approval_limit: limit, daily_limit: ofDay } = useSession();
  const hasLimit = limit !== null || ofDay !== null;
  const isWaiting = asked.list === "waiting";
  const refetchInterval = isWaiting ? REFRESH_MS : false;
  const list = useQuery({ ...listQuery(asked), placeholderData: keepPreviousData, refetchInterval });
  const hasRows = (list.data?.data.length ?? 0) > 0;
  // a late answer closes its own dialog, not one that was opened since
  const closeThis = () => setDeciding((now) => (now === deciding ? null : now));
  return (
    <Page title={t.title} subtitle={<Limit />} action={<ListActions {...LIST} filters={asked} />}>
      <div>
        <SegmentedControl
          aria-label={t.list}
          value={asked.list}
          onChange={(chosen) => ask({ list: chosen })}
          data={[
            { value: "waiting", label: t.waiting },
            { value: "decided", label: t.decided },
          ]}
        />
      </div>
      {hasLimit || hasRows ? <NoOtherApprover /> : null}
      <PagedTable
        caption={t.title}
        columns={useRequestColumns(isWaiting, (row, decision) => setDeciding({ row, decision }))}
        list={list}
        rowKey={(row) => row.uid}
        empty={isWaiting ? t.noneWaiting : t.noneDecided}
        after={asked.after}
        onAfter={(after) => ask({ after })}
      />
      {deciding === null ? null : <DecisionDialog key={deciding.row.uid} {...deciding} onClose={closeThis} />}
    </Page>
  );
}

ApprovalsPage.prefetchedQueries = ({ search }: Address) => [listQuery(urlState(NOTHING_ASKED, search))];

function Limit() {
  const t = useWords(words);
  const format = useFormat();
  const { approval_limit: limit, daily_limit: ofDay, can } = useSession();
  const limits = [
    limit === null ? null : t.limit(format.points(limit)),
    ofDay === null ? null : t.limitOfDay(format.points(ofDay)),
    limit === null && ofDay === null ? t.noLimit : t.limitAlso,
  ];
  return (
    <span className={classes["limit"]}>
      <span>{limits.filter((text) => text !== null).join(t.betweenSentences)}</span>
      {can("limit.change") ? <PageLink to="/program/staff">{t.setLimit}</PageLink> : null}
    </span>
  );
}
