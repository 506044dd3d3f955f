import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RequestedProgram, RequestRow } from "../../../src/admin/approvals/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet, dataQuery } from "../../api/client.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { Facts } from "../../ui/values/facts.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { ChangedForecasts, ChangedLosses } from "./campaigns/changed-campaigns.tsx";
import { ChangeList } from "./change-list.tsx";
import { editable } from "./document.ts";
import { changesOf } from "./draft/draft.ts";
import { ExpiryEffect } from "./expiry-effect.tsx";
import { OrderEffect } from "./order-effect.tsx";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { TierEffect } from "./tier-effect.tsx";

/** Somebody else decides meanwhile. */
const REFRESH_MS = 5_000;

/** A requested change and its effect, for the person who decides it; afterwards, who decided it and how. */
export function RequestTab() {
  const [{ uid }] = useUrlState({ uid: "" });
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["approvals", "request", uid],
    queryFn: dataQuery<RequestRow>(`/approvals/${encodeURIComponent(uid)}`),
    enabled: uid !== "",
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === "waiting" ? REFRESH_MS : false),
  });
  const isApproved = data?.state === "approved";
  useEffect(() => {
    if (isApproved) void client.invalidateQueries({ queryKey: ["program"] }); // the other tabs show the program that it made
  }, [client, isApproved]);
  if (data !== undefined && data.state !== "waiting") return <Decided request={data} />;
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Waiting uid={uid} />;
}

/** How a request ended. */
function Decided({ request }: { request: RequestRow }) {
  const r = useWords(reviewWords);
  const states: Readonly<Record<string, string>> = r.decidedStates;
  const { decided_name: name, decided_at: at, decision_note: note, program } = request;
  const to = program?.version == null ? "/approvals" : `/program/versions?open=${program.version}`;
  return (
    <Section
      title={states[request.state] ?? request.state}
      action={<PageLink to={to}>{program?.version == null ? r.toApprovals : r.toVersion(program.version)}</PageLink>}
    >
      <Facts
        items={[
          [r.requestedBy, `${request.requested_name} (${request.requested_email})`],
          [r.requestedAt, <Time key="at" at={request.requested_at} />],
          ...(name === null ? [] : [[r.decidedBy, name] as const]),
          ...(at === null ? [] : [[r.decidedAt, <Time key="decided" at={at} />] as const]),
          ...(note === null ? [] : [[r.decisionNote, note] as const]),
        ]}
      />
    </Section>
  );
}

function Waiting({ uid }: { uid: string }) {
  const r = useWords(reviewWords);
  const { data, error, refetch } = useQuery({
    queryKey: ["approvals", "program", uid],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: RequestedProgram }>(`/approvals/${encodeURIComponent(uid)}/program`, {}, signal)).data,
    enabled: uid !== "",
  });
  if (data !== undefined) return <Requested requested={data} />;
  if (error instanceof ApiError && error.status === 409) return <Changed />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <p className={classes["hint"]} role="status">
      {r.checking}
    </p>
  );
}

function Requested({ requested: { request, before, preview } }: { requested: RequestedProgram }) {
  const r = useWords(reviewWords);
  const raiseNames = useRaiseNames();
  const at = request.program?.apply_now === true ? r.now : r.atNextCheck;
  const [base, document] = [editable(before), editable(preview.document)];
  const placing = preview.tiers === null ? [] : [[r.placing, at] as const];
  return (
    <>
      <Section title={r.requestedTitle} action={<PageLink to="/approvals">{r.toApprovals}</PageLink>}>
        <Facts
          items={[
            [r.requestedBy, `${request.requested_name} (${request.requested_email})`],
            [r.requestedAt, <Time key="at" at={request.requested_at} />],
            [r.paysMore, raiseNames(request.program?.raises ?? [])],
            ...placing,
          ]}
        />
        <p className={classes["hint"]}>{request.is_own ? r.ownRequest : r.decideThere}</p>
      </Section>
      <Section title={r.whatChanges}>
        <ChangeList
          changes={changesOf(before, preview.document)}
          caption={r.whatChanges}
          tiersOf={[preview.document, before]}
        />
      </Section>
      <ChangedLosses document={document} />
      <TierEffect effect={preview.tiers} />
      <ExpiryEffect effect={preview.expiries} />
      <OrderEffect examples={preview.orders} />
      {request.program === null ? null : (
        <ChangedForecasts base={base} document={document} baseVersion={request.program.base_version} />
      )}
    </>
  );
}

/** The program has changed since: the request can no longer be approved. */
function Changed() {
  const r = useWords(reviewWords);
  return (
    <div className={classes["notice"]} role="alert">
      <strong>{r.outdated}</strong>
      <span>{r.outdatedHint}</span>
      <PageLink to="/approvals">{r.toApprovals}</PageLink>
    </div>
  );
}
