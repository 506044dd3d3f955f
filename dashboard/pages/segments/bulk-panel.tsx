import { Button, Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { REASON_CHOICES } from "../../../src/wire/allotment-choices.ts";
import { WIRE_NOTE_MAX } from "../../../src/wire/limits.ts";
import { faultOf } from "../../ui/fault-of.ts";

import { SidePanel } from "../../ui/side-panel.tsx";
import { signedOf } from "../../ui/typed-number.ts";
import { useNavigateTo } from "../../ui/use-navigate-to.ts";
import { useWords } from "../../words/use-words.ts";
import { RequestFault } from "./request-fault.tsx";
import classes from "./segments.module.css";
import { sendBulk, useSegmentChange } from "./use-segments.ts";
import { words } from "./words.ts";

interface BulkPanelProps {
  kind: "points" | "tier";
  source: { segment: string };
  tiers: readonly { uid: string; name: string }[];
  closeTo: string;
}

/** Points or a tier for a complete segment: prepares an import, and opens its preview. */
export function BulkPanel({ kind, source, tiers, closeTo }: BulkPanelProps) {
  const t = useWords(words);
  const go = useNavigateTo();
  const [draft, setDraft] = useState({ points: "", reason: "", note: "", tier: tiers[0]?.uid ?? "", skips: false });
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const send = useSegmentChange(
    () =>
      kind === "points"
        ? sendBulk("points", {
            ...source,
            points: signedOf(draft.points) ?? draft.points, // an invalid text is refused at its field
            reason_type: draft.reason === "" ? null : draft.reason,
            note: draft.note === "" ? null : draft.note,
          })
        : sendBulk("tier", { ...source, tier: draft.tier, skip_next_check: draft.skips }),
    (uid) => go(`/csv/imports/${uid}`),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(undefined);
  };
  return (
    <SidePanel title={kind === "points" ? t.givePoints : t.setTier} closeTo={closeTo} isForm>
      <form className={classes["form"]} onSubmit={submit}>
        {kind === "points" ? (
          <>
            <TextInput
              label={t.points}
              description={t.pointsHint}
              value={draft.points}
              onChange={(event) => change({ points: event.currentTarget.value })}
              required
              data-autofocus
              error={faultOf(send.error, "/points")}
            />
            <NativeSelect
              label={t.reason}
              value={draft.reason}
              onChange={(event) => change({ reason: event.currentTarget.value })}
            >
              <option value="">{t.noReason}</option>
              {REASON_CHOICES.map((reason) => (
                <option key={reason} value={reason}>
                  {t.reasons[reason]}
                </option>
              ))}
            </NativeSelect>
            <Textarea
              label={t.note}
              description={t.noteHint}
              value={draft.note}
              maxLength={WIRE_NOTE_MAX}
              onChange={(event) => change({ note: event.currentTarget.value })}
              rows={2}
              error={faultOf(send.error, "/note")}
            />
          </>
        ) : (
          <>
            <NativeSelect
              label={t.tier}
              value={draft.tier}
              onChange={(event) => change({ tier: event.currentTarget.value })}
              data-autofocus
              error={faultOf(send.error, "/tier")}
            >
              {tiers.map(({ uid, name }) => (
                <option key={uid} value={uid}>
                  {name}
                </option>
              ))}
            </NativeSelect>
            <Checkbox
              label={t.skipNext}
              checked={draft.skips}
              onChange={(event) => change({ skips: event.currentTarget.checked })}
            />
          </>
        )}
        <p className={classes["hint"]}>{t.bulkHint}</p>
        <RequestFault error={send.error} />
        <Button type="submit" loading={send.isPending}>
          {t.prepare}
        </Button>
      </form>
    </SidePanel>
  );
}
