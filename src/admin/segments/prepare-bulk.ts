import { recordAction } from "../../audit/record-action.ts";
import { selectByStorefrontIds } from "../../customers/customer-queries.ts";
import type { Deps } from "../../deps.ts";
import { startCheck } from "../../imports/check/start-check.ts";
import { DEFAULT_OPTIONS, type StaffPerson } from "../../imports/csv-import.ts";
import type { ImportOptions } from "../../imports/read/row-values.ts";
import { storeUpload } from "../../imports/store-upload.ts";
import { Problem } from "../../problems.ts";
import { type Segment, selectSegment } from "../../segments/segment-queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { Language } from "../../wire/language.ts";
import { streamSegment } from "./queries.ts";

/** A request does not prepare more customers than this. */
const CUSTOMERS_MAX = 1_000_000n;

/** The action and the customers that it is for. */
export interface BulkAction {
  readonly kind: "points" | "tiers";
  /** The columns after the customer, and their cells, the same for every customer. */
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  /** Part of the file's name. */
  readonly label: string;
  readonly options: Partial<ImportOptions>;
  readonly source: {
    readonly segment?: string | undefined;
    readonly customers?: readonly string[] | undefined;
    readonly requestUid?: string | undefined;
  };
  readonly by: StaffPerson;
  /** Of the name of a selection; null: English. */
  readonly language: Language | null;
}

/**
 * Makes a file of points or tiers for a segment's list, or for chosen customers, and starts its check: from then on it is an import like any other,
 * with preview, approval and undo. The same action on the same list is refused as an import that already exists. Throws `not_found`, `invalid`, and
 * like `storeUpload`. Returns the import's uid.
 */
export async function prepareBulk(deps: Pick<Deps, "db" | "clock" | "random">, action: BulkAction): Promise<string> {
  const { kind, columns, source, by, label } = action;
  const list = await readSource(deps, action);
  const fileName = `${list.name}: ${label}.csv`.slice(0, 255);
  const options = { ...DEFAULT_OPTIONS, origin: "promotion" as const, ...action.options, exactIds: true };
  const { uid } = await storeUpload(deps, { kind, fileName, by, options, bytes: writeRows(deps, list, action) });
  const positions = Object.fromEntries(["customer", ...columns].map((name, index) => [name, index]));
  const settings = { encoding: "utf-8", separator: ",", hasHeader: true, columns: positions, options } as const;
  await deps.db.tx(async (tx) => {
    await startCheck(tx, deps, uid, { settings, by });
    if (source.segment !== undefined)
      await recordAction(tx, deps, {
        action: "segment.used",
        subject: { kind: "segment", id: source.segment },
        after: { import: uid, kind },
      });
  });
  return uid;
}

interface BulkList {
  readonly name: string;
  /** Makes the file differ from that of another count of the same segment, or another request for the same customers. */
  readonly stamp: string;
  readonly segment: (Segment & { readonly shownGeneration: number }) | null;
  readonly ids: readonly string[];
}

async function readSource(
  deps: Pick<Deps, "db">,
  { source, language }: Pick<BulkAction, "source" | "language">,
): Promise<BulkList> {
  const { segment: uid, customers, requestUid = "selection" } = source;
  if ((uid === undefined) === (customers === undefined))
    throw refused("/segment", "expected either a segment or customers");
  if (customers !== undefined) {
    const ids = await onceEach(deps, customers);
    return { name: selectionName(ids.length, language), ids, stamp: requestUid, segment: null };
  }
  const segment = await selectSegment(deps.db, uid ?? "");
  if (segment === undefined) throw new Problem("not_found");
  const { shownGeneration, countedAt, customers: count } = segment;
  if (shownGeneration === null || countedAt === null || count === null)
    throw refused("/segment", "expected a segment that is counted");
  if (count === 0n) throw refused("/segment", "expected a segment with customers");
  if (count > CUSTOMERS_MAX)
    throw refused("/segment", `expected at most ${CUSTOMERS_MAX} customers: narrow the filter`);
  const stamp = `${segment.name} ${formatInstant(countedAt)}`;
  return { name: segment.name, stamp, segment: { ...segment, shownGeneration }, ids: [] };
}

/** A customer may be named twice, also by the ids of customers who were merged. An unknown id stays, and is an issue of its row. */
async function onceEach({ db }: Pick<Deps, "db">, ids: readonly string[]): Promise<readonly string[]> {
  const known = await selectByStorefrontIds(db, [...new Set(ids)]);
  return [...new Map(ids.toReversed().map((id) => [known.get(id)?.customerUid ?? id, id])).values()].toReversed();
}

function selectionName(count: number, language: Language | null): string {
  if (language === "ja") return `会員${count}人`;
  return count === 1 ? "1 customer" : `${count} customers`;
}

async function* writeRows(
  { db }: Pick<Deps, "db">,
  list: BulkList,
  { columns, cells }: BulkAction,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(row(["customer", ...columns, "list"]));
  const line = (id: string) => row([id, ...cells, list.stamp]);
  if (list.segment === null) {
    yield Buffer.from(list.ids.map(line).join(""));
    return;
  }
  const { uid, shownGeneration } = list.segment;
  for await (const piece of streamSegment(db, { uid, generation: shownGeneration }))
    yield Buffer.from(piece.map(({ id }) => line(id)).join(""));
}

/** Only this service reads the file, and its ids as they are (`exactIds`), so cells are not guarded against spreadsheets. */
function row(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
}

function refused(pointer: string, detail: string): Problem {
  return new Problem("invalid", { faults: [{ pointer, detail }] });
}
