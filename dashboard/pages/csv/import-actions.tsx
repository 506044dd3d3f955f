import { Button } from "@mantine/core";
import { useState } from "react";
import type { ImportDetail } from "../../../src/admin/csv/schema.ts";
import { useSession } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { moveWords } from "./move-words.ts";
import { takesLess } from "./takes-less.ts";
import { tierWords } from "./tier-words.ts";
import { useImportVerb } from "./use-imports.ts";
import { words } from "./words.ts";

/** The actions that are possible in the import's present state. */
export function ImportActions({ file }: { file: ImportDetail }) {
  const { can } = useSession();
  if (!can("imports.run") || file.waiting !== null) return null;
  const canGiveUp = file.state === "uploaded" || file.state === "checking" || file.state === "checked";
  const canStart = file.state === "checked" && !file.is_part;
  return (
    <div className={classes["actions"]}>
      {canGiveUp ? <GiveUp file={file} /> : null}
      {canStart ? <ChangeSettings /> : null}
      {canStart ? <Start file={file} /> : null}
      {file.state === "imported" && file.undo_until !== null ? <Undo file={file} /> : null}
    </div>
  );
}

function Start({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const m = useWords(moveWords);
  const ofTiers = useWords(tierWords);
  const { number } = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const start = useImportVerb(file.uid, "start", ({ waiting }) => {
    setIsAsking(false);
    notifyDone(waiting === null ? t.started : t.asked);
  });
  const good = file.check?.good_count ?? 0;
  const bad = file.check?.fault_count ?? 0;
  const customers = file.check?.customers;
  const plain = bad === 0 ? t.importAll(number(good)) : t.importGood(number(good));
  const label = file.needs_another ? t.askStart : plain;
  return (
    <>
      <Button disabled={good === 0} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t.importTitle}
        confirm={label}
        isBusy={start.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => start.mutate({})}
      >
        <p>{t.importText(number(good), number(bad))}</p>
        {file.kind === "points" ? (
          <p>
            {(takesLess(file) ? t.importAtMost : t.importPoints)(
              number(file.check?.points_added ?? 0),
              number(file.check?.points_taken ?? 0),
            )}
          </p>
        ) : null}
        {file.kind === "move" ? <p>{m.importText(number(file.check?.points_added ?? 0))}</p> : null}
        {customers === undefined ? null : (
          <p>{t.importCustomers(number(customers.created_count), number(customers.updated_count))}</p>
        )}
        {file.tier_moves === null ? null : (
          <p>
            {ofTiers.importText(
              number(file.tier_moves.raised_count),
              number(file.tier_moves.lowered_count),
              number(file.tier_moves.unchanged_count),
            )}
          </p>
        )}
        <p>{t.importUndo}</p>
      </ConfirmDialog>
    </>
  );
}

/** Shows the settings of the file, so that they can be changed and the file checked again. */
function ChangeSettings() {
  const t = useWords(words);
  const [{ settings }, setState] = useUrlState({ settings: "" });
  if (settings !== "") return null;
  return (
    <Button variant="default" onClick={() => setState({ settings: "open" })}>
      {t.change}
    </Button>
  );
}

const UNDO_TEXTS = { points: "undoPoints", tiers: "undoTiers", customers: "undoCustomers" } as const;
const MOVE_UNDO_TEXTS = { move: "undoText", spend: "undoSpend", history: "undoHistory" } as const;

const isOurs = (kind: ImportDetail["kind"]): kind is keyof typeof UNDO_TEXTS => kind in UNDO_TEXTS;

function Undo({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const m = useWords(moveWords);
  const [isAsking, setIsAsking] = useState(false);
  const undo = useImportVerb(file.uid, "undo", ({ waiting }) => {
    setIsAsking(false);
    notifyDone(waiting === null ? t.undoing : t.asked);
  });
  const label = file.needs_another ? t.askUndo : t.undo;
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t.undoTitle}
        confirm={label}
        tone="bad"
        isBusy={undo.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => undo.mutate({})}
      >
        <p>{isOurs(file.kind) ? t[UNDO_TEXTS[file.kind]] : m[MOVE_UNDO_TEXTS[file.kind]]}</p>
        <p>{t.undoOnce}</p>
      </ConfirmDialog>
    </>
  );
}

function GiveUp({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const [isAsking, setIsAsking] = useState(false);
  const giveUp = useImportVerb(file.uid, "give_up", () => {
    setIsAsking(false);
    notifyDone(t.gaveUp);
  });
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t.giveUp}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t.giveUpTitle}
        confirm={t.giveUp}
        isBusy={giveUp.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => giveUp.mutate({})}
      >
        {t.giveUpText}
      </ConfirmDialog>
    </>
  );
}
