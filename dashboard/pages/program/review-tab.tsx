import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ProgramPreview } from "../../../src/admin/program/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiAsk } from "../../api/client.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { localizeRefusal } from "../../words/localize-refusal.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { ApplyForm } from "./apply-form.tsx";
import { overlapsOf } from "./campaigns/campaigns.ts";
import { ChangedForecasts, ChangedLosses } from "./campaigns/changed-campaigns.tsx";
import { ChangeList, changeLabel } from "./change-list.tsx";
import { partOf } from "./draft/draft.ts";
import { useDraft } from "./draft/draft-context.ts";
import { ExpiryEffect } from "./expiry-effect.tsx";
import { faultPlace } from "./fault-place.ts";
import { OrderEffect } from "./order-effect.tsx";
import classes from "./program.module.css";
import { Reevaluation } from "./reevaluation.tsx";
import { reviewWords } from "./review-words.ts";
import { TierEffect } from "./tier-effect.tsx";
import { words } from "./words.ts";

/** The draft's changes, their effect, and the button that applies it. */
export function ReviewTab() {
  const t = useWords(words);
  const r = useWords(reviewWords);
  const { program, base, changes, document } = useDraft();
  const [isNow, setIsNow] = useState(false);
  const [from, setFrom] = useState<string | null>(null);
  const { data, error, refetch } = usePreview(isNow, from);
  if (changes.length === 0) return <EmptyState title={t.nothingToReview} hint={t.nothingToReviewHint} />;
  return (
    <>
      <Section title={r.whatChanges}>
        <ChangeList changes={changes} caption={r.whatChanges} />
      </Section>
      <ChangedLosses document={document} />
      {error === null ? null : <Refusal error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Checking /> : null}
      {data === undefined ? null : (
        <>
          <TierEffect effect={data.tiers} />
          <ExpiryEffect effect={data.expiries} />
          <OrderEffect examples={data.orders} />
          <ChangedForecasts base={base} document={document} baseVersion={program.version} />
        </>
      )}
      {data === undefined && error === null ? null : (
        <Reevaluation
          effect={data?.judged_again ?? null}
          from={from}
          onFrom={setFrom}
          fault={faultOf(error, "/valid_from")}
        />
      )}
      {data === undefined ? null : <ApplyForm preview={data} from={from} isNow={isNow} onNow={setIsNow} />}
    </>
  );
}

function usePreview(isNow: boolean, from: string | null) {
  const { program, base, document, changes, refuse, isEditable } = useDraft();
  const part = { document: partOf(base, document), base_version: program.version };
  const body = { ...part, apply_now: isNow, valid_from: from };
  const preview = useQuery({
    queryKey: ["program-preview", body],
    queryFn: async () => (await apiAsk<{ data: ProgramPreview }>("/program/preview", body)).data,
    enabled: isEditable && changes.length > 0,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });
  const { error } = preview;
  useEffect(() => {
    if (error !== null) refuse(error);
  }, [error, refuse]);
  return preview;
}

function Checking() {
  const r = useWords(reviewWords);
  return (
    <Section title={r.tierEffect}>
      <p className={classes["hint"]} role="status">
        {r.checking}
      </p>
      <div className={classes["bones"]} aria-hidden="true">
        {["a", "b", "c"].map((bone) => (
          <span key={bone} className={classes["bone"]} />
        ))}
      </div>
    </Section>
  );
}

/** Faults of the document, each with a link to its part; other errors are shown as everywhere. */
function Refusal({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const r = useWords(reviewWords);
  if (!(error instanceof ApiError) || error.status === 409) return null; // the notice above says who was first
  if (error.status !== 422) return <ErrorState error={error} onRetry={onRetry} />;
  const faults = error.faults.filter(({ pointer }) => pointer !== "/valid_from"); // shown beside its field
  if (faults.length === 0) return null;
  return (
    <div className={classes["notice"]} role="alert">
      <strong>{r.faults}</strong>
      <ul className={classes["faults"]}>
        {faults.map((fault) => (
          <FaultItem key={fault.pointer ?? fault.detail} pointer={fault.pointer ?? ""} detail={fault.detail} />
        ))}
      </ul>
    </div>
  );
}

function FaultItem({ pointer, detail }: { pointer: string; detail: string }) {
  const t = useWords(words);
  const m = useWords(fieldWords);
  const { document } = useDraft();
  const { field, subject, to, campaign } = faultPlace(pointer, document);
  const [rival] = campaign === null ? [] : overlapsOf(document.campaigns, campaign);
  const overlap = rival === undefined ? null : t.overlap(subject ?? "", document.campaigns[rival]?.name ?? "");
  return (
    <li>
      <PageLink to={to}>{changeLabel({ field, subject, before: null }, t, m)}</PageLink>
      {": "}
      {pointer.endsWith("/starts_at") && overlap !== null ? overlap : localizeRefusal(detail)}
    </li>
  );
}
