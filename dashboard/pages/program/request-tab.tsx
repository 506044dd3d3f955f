import { useQuery } from "@tanstack/react-query";
import type { RequestedProgram } from "../../../src/admin/approvals/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet } from "../../api/client.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { useUrlState } from "../../ui/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { ChangeList } from "./change-list.tsx";
import { changesOf } from "./draft.ts";
import { ExpiryEffect } from "./expiry-effect.tsx";
import { OrderEffect } from "./order-effect.tsx";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { TierEffect } from "./tier-effect.tsx";

/** A requested change and its effect, for the person who decides it. */
export function RequestTab() {
  const r = useWords(reviewWords);
  const [{ uid }] = useUrlState({ uid: "" });
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
        <ChangeList changes={changesOf(before, preview.document)} caption={r.whatChanges} />
      </Section>
      <TierEffect effect={preview.tiers} />
      <ExpiryEffect effect={preview.expiries} />
      <OrderEffect examples={preview.orders} />
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
