import { Button, Checkbox, Group, SegmentedControl, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { AdjustedPoints, CustomerHead } from "../../../src/admin/customers/schema.ts";
import { newUid } from "../../api/new-uid.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { errorMessage } from "../../ui/states/error-message.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { type AdjustDraft, bodyOf, EMPTY_DRAFT, withKind } from "./adjust-draft.ts";
import { AmountField, NoteField, OriginField, ReasonField } from "./adjust-fields.tsx";
import { AdjustPreview, usePreview } from "./adjust-preview.tsx";
import { ledgerWords } from "./ledger-words.ts";
import { notPosted } from "./not-posted.ts";
import { customerPath, undoOf, useCustomerChange } from "./use-customer.ts";

/** Adds or takes points, or sets the balance, with a preview. */
export function AdjustPanel({ customer }: { customer: CustomerHead }) {
  const t = useWords(ledgerWords);
  const [draft, setDraft] = useState<AdjustDraft>(EMPTY_DRAFT);
  const [requestUid] = useState(newUid);
  const closeTo = customerPath(customer.id);
  const { change, submit } = useAdjust(customer, closeTo);
  const preview = usePreview(customer.id, draft);
  const body = bodyOf(draft, requestUid);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (body !== null) submit(body);
  };
  const set = (part: Partial<AdjustDraft>) => setDraft((before) => ({ ...before, ...part }));
  const isRefused = preview.data?.refusal != null;
  return (
    <SidePanel title={t.adjustTitle} closeTo={closeTo} isForm>
      <form onSubmit={onSubmit}>
        <Stack gap={16}>
          <KindField value={draft.kind} onChange={(kind) => setDraft((before) => withKind(before, kind))} />
          <AmountField draft={draft} onChange={set} error={change.error} />
          <ReasonField value={draft.reason} onChange={(reason) => set({ reason })} />
          <NoteField value={draft.note} onChange={(note) => set({ note })} error={change.error} />
          {draft.kind === "deduct" ? null : (
            <>
              <OriginField value={draft.origin} onChange={(origin) => set({ origin })} />
              <Checkbox
                label={t.extends}
                checked={draft.extends}
                onChange={(event) => set({ extends: event.currentTarget.checked })}
              />
            </>
          )}
          <AdjustPreview preview={preview} />
          {change.error === null ? null : <Refused error={change.error} />}
          <Actions draft={draft} preview={preview} isBusy={change.isPending} isOff={body === null || isRefused} />
        </Stack>
      </form>
    </SidePanel>
  );
}

function Refused({ error }: { error: unknown }) {
  return <FormFault>{errorMessage(error, useWords(uiWords))}</FormFault>;
}

/** Sends an adjustment, shows its result and offers to undo it. */
function useAdjust(customer: CustomerHead, closeTo: string) {
  const t = useWords(ledgerWords);
  const format = useFormat();
  const go = useNavigateWhileShown();
  const undone = useCustomerChange<AdjustedPoints>(customer.id, ({ state, point_value, balance }) => {
    const text = t.undoDone(format.points(point_value, true), format.points(balance));
    notifyDone(notPosted(state, t) ?? text);
  });
  const change = useCustomerChange<AdjustedPoints>(customer.id, ({ state, allotment_uid, point_value, balance }) => {
    go(closeTo, { keepScroll: true });
    const unwritten = notPosted(state, t);
    if (unwritten !== null || allotment_uid === null) return notifyDone(unwritten ?? t.requested);
    const undo = undoOf(allotment_uid);
    const text = t.adjusted(format.points(point_value, true), format.points(balance));
    const run = () => undone.mutate(undo, { onError: notifyFailed });
    notifyDone(text, point_value === 0 ? undefined : { of: allotment_uid, run });
  });
  return { change, submit: (body: object) => change.mutate({ method: "POST", path: "/adjustments", body }) };
}

function KindField({ value, onChange }: { value: AdjustDraft["kind"]; onChange(kind: AdjustDraft["kind"]): void }) {
  const t = useWords(ledgerWords);
  const kinds = ["add", "deduct", "set"] as const; // cast: the three kinds and no other text
  return (
    <SegmentedControl
      aria-label={t.kind}
      value={value}
      onChange={(text) => onChange(kinds.find((kind) => kind === text) ?? "add")}
      data={kinds.map((kind) => ({ value: kind, label: t[kind] }))}
    />
  );
}

interface ActionsProps {
  draft: AdjustDraft;
  preview: ReturnType<typeof usePreview>;
  isBusy: boolean;
  isOff: boolean;
}

function Actions({ draft, preview, isBusy, isOff }: ActionsProps) {
  const t = useWords(ledgerWords);
  const names = { add: t.doAdd, deduct: t.doDeduct, set: t.doSet };
  return (
    <Group justify="flex-end" gap={8}>
      <CancelButton>{t.cancel}</CancelButton>
      <Button type="submit" loading={isBusy} disabled={isOff}>
        {preview.data?.needs_approval === true ? t.doRequest : names[draft.kind]}
      </Button>
    </Group>
  );
}
