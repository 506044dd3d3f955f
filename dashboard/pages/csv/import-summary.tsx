import type { ImportDetail, ImportTotals } from "../../../src/admin/csv/schema.ts";
import { NoOtherApprover } from "../../ui/approvals/no-other-approver.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { MoveSummary } from "./move-summary.tsx";
import { moveWords } from "./move-words.ts";
import { takesLess } from "./takes-less.ts";
import { tierWords } from "./tier-words.ts";
import { words } from "./words.ts";

/** The results of the check, the import and its undoing, as far as they exist. */
export function ImportSummary({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const isPoints = file.kind === "points" || file.kind === "move";
  return (
    <>
      {file.state === "undoing" || file.undo === null ? null : <UndoResult totals={file.undo} isPoints={isPoints} />}
      {file.state === "importing" || file.import === null ? null : (
        <ImportResult uid={file.uid} totals={file.import} isPoints={isPoints} hasLedger={file.kind === "points"} />
      )}
      {file.kind === "move" ? <MoveSummary file={file} /> : null}
      {file.check === null ? null : <CheckResult file={file} totals={file.check} />}
      <Approval file={file} />
      {file.state === "imported" && file.undo_until === null ? <p className={classes["hint"]}>{t.noUndo}</p> : null}
      {file.state === "checked" && file.check?.good_count === 0 ? (
        <p className={classes["notice"]}>{t.noGood}</p>
      ) : null}
    </>
  );
}

/** Shows that the import waits, or would wait, for a second person. */
function Approval({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const ofMove = useWords(moveWords);
  const { number } = useFormat();
  if (file.waiting !== null) {
    const text = file.state === "imported" ? t.undoWaitsFor : t.waitsFor;
    return (
      <p className={classes["notice"]} role="status">
        {text(file.waiting.requested_by)} <PageLink to="/approvals">{t.toApprovals}</PageLink>
      </p>
    );
  }
  if (!file.needs_another) return null;
  const ofCustomer = (file.kind === "move" ? ofMove.anotherOfMove : t.another)(number(file.approval_limit ?? 0));
  return (
    <>
      <p className={classes["notice"]}>
        {file.excess === "day" ? t.anotherOfDay(number(file.daily_limit ?? 0)) : ofCustomer}
      </p>
      <NoOtherApprover />
    </>
  );
}

/** Whether there is a result beyond the check. */
function isDone({ state }: ImportDetail): boolean {
  return state === "imported" || state === "undoing" || state === "undone";
}

type Items = (readonly [label: string, value: React.ReactNode])[];

function moved(totals: ImportTotals, added: string, taken: string): Items {
  return [
    [added, <Points key="added" value={totals.points_added} signed />],
    [taken, <Points key="taken" value={-totals.points_taken} signed />],
  ];
}

/** The effects of the rows of a file of customers; empty for other files. */
function changed(
  { customers }: ImportTotals,
  number: (value: number) => string,
  [created, updated, unchanged]: readonly [created: string, updated: string, unchanged: string],
): Items {
  if (customers === undefined) return [];
  return [
    [created, number(customers.created_count)],
    [updated, number(customers.updated_count)],
    [unchanged, number(customers.unchanged_count)],
  ];
}

function CheckResult({ file, totals }: { file: ImportDetail; totals: ImportTotals }) {
  const t = useWords(words);
  const ofTiers = useWords(tierWords);
  const { number } = useFormat();
  const points =
    file.kind === "points" && !isDone(file) ? moved(totals, t.added, takesLess(file) ? t.takenAtMost : t.taken) : [];
  const moves = file.tier_moves;
  const tiers: Items =
    moves === null
      ? []
      : [
          [ofTiers.raised, number(moves.raised_count)],
          [ofTiers.lowered, number(moves.lowered_count)],
          [ofTiers.same, number(moves.unchanged_count)],
        ];
  const changes = isDone(file) ? [] : changed(totals, number, [t.created, t.updated, t.unchanged]);
  return (
    <Section title={t.resultOfCheck}>
      <Facts
        items={[
          [t.rows, number(totals.row_count)],
          [t.goodRows, number(totals.good_count)],
          [t.badRows, number(totals.fault_count)],
          [t.warnings, number(file.warning_count)],
          [t.customers, number(file.customer_count ?? 0)],
          ...points,
          ...changes,
          ...tiers,
        ]}
      />
    </Section>
  );
}

interface ImportResultProps {
  uid: string;
  totals: ImportTotals;
  isPoints: boolean;
  hasLedger: boolean;
}

function ImportResult({ uid, totals, isPoints, hasLedger }: ImportResultProps) {
  const t = useWords(words);
  const { number } = useFormat();
  const ledger = hasLedger ? <PageLink to={`/ledger?type=csv&source=import-${uid}`}>{t.inLedger}</PageLink> : null;
  return (
    <Section title={t.result} action={ledger}>
      <Facts
        items={[
          [t.rowsDone, number(totals.good_count)],
          [t.rowsFailed, number(totals.fault_count)],
          ...(isPoints ? moved(totals, t.addedDone, t.takenDone) : []),
          ...changed(totals, number, [t.createdDone, t.updatedDone, t.unchanged]),
        ]}
      />
    </Section>
  );
}

function UndoResult({ totals, isPoints }: { totals: ImportTotals; isPoints: boolean }) {
  const t = useWords(words);
  const { number } = useFormat();
  return (
    <Section title={t.undoResult}>
      <Facts
        items={[
          ...(isPoints ? moved(totals, t.givenBack, t.takenBack) : []),
          ...changed(totals, number, [t.removedDone, t.restoredDone, t.unchanged]).slice(0, 2),
          [t.notTaken, number(totals.fault_count)],
        ]}
      />
    </Section>
  );
}
