import { Button, Radio } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ProgramChanged, ProgramPreview, ProgramState } from "../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { NoOtherApprover } from "../../ui/approvals/no-other-approver.tsx";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { useWords } from "../../words/use-words.ts";
import { isSame, partOf } from "./draft/draft.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { LIMITS } from "./settings.ts";
import { words } from "./words.ts";

interface ApplyFormProps {
  preview: ProgramPreview;
  /** From when it applies to orders; null: from now on. */
  from: string | null;
  /** Whether new tier rules place customers at once. */
  isNow: boolean;
  onNow(isNow: boolean): void;
}

/** When tier rules take effect, and the button that makes the draft a version. */
export function ApplyForm({ preview, from, isNow, onNow }: ApplyFormProps) {
  const r = useWords(reviewWords);
  const [isAsking, setIsAsking] = useState(false);
  const apply = useApply({ isNow, from }, () => setIsAsking(false));
  const { program, newest, document, changes, time } = useDraft();
  const { can } = useSession();
  const label = preview.approval === null ? r.apply : r.ask;
  const textOf = (isFirst: boolean, start: string | null) =>
    isFirst ? r.applyTextFirst : start === null ? r.applyText : r.applyTextFrom(time(start));
  const isOwners = changes.some(({ field }) => LIMITS.includes(field)) && !can("limit.change");
  return (
    <div className={classes["apply"]}>
      {preview.approval === null ? null : <NeedsApproval approval={preview.approval} />}
      {preview.tiers === null ? null : <When checkAt={preview.tiers.next_check_at} isNow={isNow} onNow={onNow} />}
      <div className={classes["actions"]}>
        {isOwners ? <OwnersOnly /> : null}
        <Button disabled={program.version !== newest.version || isOwners} onClick={() => setIsAsking(true)}>
          {label}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={preview.approval === null ? r.applyTitle(preview.version) : r.askTitle}
        confirm={label}
        isBusy={apply.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => apply.mutate(document)}
      >
        {preview.approval === null ? textOf(newest.version === 1, from) : r.askText}
      </ConfirmDialog>
    </div>
  );
}

/** Shows before sending that the change waits for a second person, why, and who can approve it. */
function NeedsApproval({ approval }: { approval: NonNullable<ProgramPreview["approval"]> }) {
  const r = useWords(reviewWords);
  const raiseNames = useRaiseNames();
  const { raises, other_approvers: others } = approval;
  return (
    <div className={classes["notice"]} role="note">
      <span>
        {r.needsApproval(raiseNames(raises))} {others === 0 ? null : r.otherApprovers(others)}
      </span>
      <NoOtherApprover />
    </div>
  );
}

function OwnersOnly() {
  const t = useWords(words);
  return (
    <span className={classes["hint"]}>
      <PageLink to="/program/staff">{t.tabs.staff}</PageLink>: {t.ownersOnly}
    </span>
  );
}

function When({ checkAt, isNow, onNow }: { checkAt: string; isNow: boolean; onNow(isNow: boolean): void }) {
  const r = useWords(reviewWords);
  const { time } = useDraft();
  return (
    <Radio.Group label={r.when} value={isNow ? "now" : "check"} onChange={(value) => onNow(value === "now")}>
      <div className={classes["choices"]}>
        <Radio value="check" label={r.atNextCheck} description={r.atNextCheckHint(time(checkAt))} />
        <Radio value="now" label={r.now} description={r.nowHint} />
      </div>
    </Radio.Group>
  );
}

function useApply({ isNow, from }: { isNow: boolean; from: string | null }, onEnd: () => void) {
  const r = useWords(reviewWords);
  const go = useNavigateWhileShown();
  const client = useQueryClient();
  const { program, newest, base, document, applied, refuse, format } = useDraft();
  return useMutation({
    mutationFn: (sent: ProgramDocument) => {
      const part = { document: partOf(base, sent), base_version: program.version };
      const body = { ...part, apply_now: isNow, valid_from: from };
      return apiSend<{ data: ProgramChanged }>("POST", "/program", body);
    },
    onSuccess: async ({ data }, sent) => {
      await client.invalidateQueries({ queryKey: ["program"] });
      applied(sent, client.getQueryData<ProgramState>(["program", "now"]) ?? newest);
      if (data.state === "waiting") {
        void client.invalidateQueries({ queryKey: ["approvals"] });
        notifyDone(r.asked);
        go(`/program/request?uid=${data.request_uid ?? ""}`);
        return;
      }
      void client.invalidateQueries({ queryKey: SESSION_KEY });
      notifyDone(data.moved > 0 ? r.appliedMoved(data.version, format.number(data.moved)) : r.applied(data.version));
      go("/program/versions");
    },
    onError: (error, sent) => {
      if (isSame(document, sent)) refuse(error);
      void client.invalidateQueries({ queryKey: ["program", "now"] });
      if (!(error instanceof ApiError && error.status === 409)) notifyFailed(error); // the notice says who was first
    },
    onSettled: onEnd,
  });
}
