import { Button, Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { BulkAnswer } from "../../../src/admin/segments/schema.ts";
import { REASON_CHOICES } from "../../../src/wire/allotment-choices.ts";
import { WIRE_NOTE_MAX } from "../../../src/wire/limits.ts";
import { apiSend } from "../../api/client.ts";
import { useWords } from "../../words/use-words.ts";
import { faultOf } from "../forms/fault-of.ts";
import { signedOf } from "../forms/typed-number.ts";
import { PageLink } from "../layout/page-link.tsx";
import { SidePanel } from "../layout/side-panel.tsx";
import { sameImportOf } from "../same-import-of.ts";
import { RequestFault } from "../states/request-fault.tsx";
import { useNavigateWhileShown } from "../urls/use-navigate-while-shown.ts";
import { useFormat } from "../values/use-format.ts";
import classes from "./bulk-panel.module.css";
import { bulkWords as words } from "./bulk-words.ts";

/** A complete segment, or the storefront ids of selected customers. */
export type BulkSource =
  | { readonly segment: string }
  | {
      readonly customers: readonly string[];
      /** Of this selection: a request that is repeated with the same values is refused, and leads to the import that it made. */
      readonly request_uid: string;
    };

const NOTHING = { points: "", reason: "", note: "", tier: "", skips: false };
type Draft = typeof NOTHING;

interface BulkPanelProps {
  kind: "points" | "tier";
  source: BulkSource;
  tiers: readonly { uid: string; name: string }[];
  closeTo: string;
}

/** Points or a tier for many customers: prepares an import, and opens its preview. */
export function BulkPanel({ kind, source, tiers, closeTo }: BulkPanelProps) {
  const t = useWords(words);
  const go = useNavigateWhileShown();
  const format = useFormat();
  const [draft, setDraft] = useState<Draft>({ ...NOTHING, tier: tiers[0]?.uid ?? "" });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const send = useSend(
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
  const same = sameImportOf(send.error);
  const fields = { draft, change, error: send.error };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(undefined);
  };
  return (
    <SidePanel title={kind === "points" ? t.givePoints : t.setTier} closeTo={closeTo} isForm>
      <form className={classes["form"]} onSubmit={submit}>
        {"customers" in source ? (
          <p className={classes["hint"]}>{t.forSelected(format.number(source.customers.length))}</p>
        ) : null}
        {kind === "points" ? <PointsFields {...fields} /> : <TierFields {...fields} tiers={tiers} />}
        <p className={classes["hint"]}>{kind === "points" ? t.bulkHint : t.tierHint}</p>
        <RequestFault error={send.error} />
        {same === null ? null : <PageLink to={`/csv/imports/${same}`}>{t.sameImport}</PageLink>}
        <Button type="submit" loading={send.isPending} disabled={kind === "tier" && draft.tier === ""}>
          {t.prepare}
        </Button>
      </form>
    </SidePanel>
  );
}

interface FieldsProps {
  draft: Draft;
  change(part: Partial<Draft>): void;
  error: unknown;
}

function PointsFields({ draft, change, error }: FieldsProps) {
  const t = useWords(words);
  return (
    <>
      <TextInput
        label={t.points}
        description={t.pointsHint}
        value={draft.points}
        onChange={(event) => change({ points: event.currentTarget.value })}
        required
        data-autofocus
        error={faultOf(error, "/points")}
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
        error={faultOf(error, "/note")}
      />
    </>
  );
}

function TierFields({ draft, change, error, tiers }: FieldsProps & Pick<BulkPanelProps, "tiers">) {
  const t = useWords(words);
  return (
    <>
      <NativeSelect
        label={t.tier}
        value={draft.tier}
        onChange={(event) => change({ tier: event.currentTarget.value })}
        data-autofocus
        error={faultOf(error, "/tier")}
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
  );
}

function useSend(work: () => Promise<string>, onDone: (uid: string) => void) {
  return useMutation({ mutationFn: work, onSuccess: onDone });
}

/** Creates an import for a bulk action. Returns its uid. */
async function sendBulk(kind: "points" | "tier", body: object): Promise<string> {
  return (await apiSend<BulkAnswer>("POST", `/bulk/${kind}`, body)).data.import;
}
