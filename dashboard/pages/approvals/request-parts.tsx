import type { RequestRow } from "../../../src/admin/approvals/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./approvals.module.css";
import { words } from "./words.ts";

/** The subject of a request: a link to a customer, a file or the program. */
export function Subject({ row }: { row: RequestRow }) {
  const t = useWords(words);
  const { can } = useSession();
  const { customer, file, program } = row;
  if (customer !== null) return <CustomerLink customer={customer} />;
  if (file !== null)
    return <PageLink to={`/csv/imports/${encodeURIComponent(file.import_uid)}`}>{file.file_name}</PageLink>;
  if (program?.version != null)
    return <PageLink to={`/program/versions?open=${program.version}`}>{t.programVersion(program.version)}</PageLink>;
  return row.state === "waiting" && can("program.change") ? (
    <PageLink to={requestedPath(row)}>{t.program}</PageLink>
  ) : (
    t.program
  );
}

/** The path of the page that shows a requested change of the program and its effect. */
export function requestedPath({ uid }: RequestRow): string {
  return `/program/request?uid=${encodeURIComponent(uid)}`;
}

/** The points that would move; of a merge, those that count; a change of the program moves none by itself. */
export function Moved({ row }: { row: RequestRow }) {
  const { file } = row;
  if (row.program !== null) return "—";
  if (row.merge !== null) return <Points value={row.point_value} />;
  if (file === null) return <Points value={row.point_value} signed />;
  return (
    <span className={classes["stack"]}>
      {file.points_added === 0 ? null : <Points value={file.points_added} signed />}
      {file.points_taken === 0 ? null : <Points value={-file.points_taken} signed />}
    </span>
  );
}

/** The request, and the earlier points that count with it. */
export function Requested({ row }: { row: RequestRow }) {
  const t = useWords(words);
  const format = useFormat();
  const raiseNames = useRaiseNames();
  const kinds: Readonly<Record<string, string>> = t.kinds;
  const kind = kinds[row.kind] ?? row.kind;
  const { file, program, merge } = row;
  if (program !== null) {
    return (
      <WithHint text={kind} hints={[t.pays(raiseNames(program.raises)), program.apply_now ? t.placesNow : null]} />
    );
  }
  if (file !== null) {
    const count = t.rowsOf(format.number(file.rows), format.number(file.customers));
    const ofDay =
      file.excess === "day" && file.earlier_of_day > 0 ? t.withEarlierOfDay(format.points(file.earlier_of_day)) : null;
    return <WithHint text={kind} hints={[count, t.largest(format.points(file.largest_points)), ofDay]} />;
  }
  const requested = row.balance === null ? kind : t.toBalance(format.points(row.balance));
  const ofDay = row.earlier_of_day === 0 ? null : t.withEarlierOfDay(format.points(row.earlier_of_day));
  const ofCustomer = row.earlier_points === 0 ? null : t.withEarlier(format.points(row.earlier_points));
  const ofMerge = merge === null ? [] : [t.mergeOf(merge.removed_id), t.mergePoints(format.points(row.point_value))];
  return <WithHint text={requested} hints={[...ofMerge, row.excess === "day" ? ofDay : ofCustomer]} />;
}

function WithHint({ text, hints }: { text: string; hints: readonly (string | null)[] }) {
  return (
    <span className={classes["requested"]}>
      {text}
      {hints.map((hint) =>
        hint === null ? null : (
          <span key={hint} className={classes["quiet"]}>
            {hint}
          </span>
        ),
      )}
    </span>
  );
}
