import type { Deps } from "../deps.ts";
import { startImport } from "../imports/apply/start-import.ts";
import { startCheck } from "../imports/check/start-check.ts";
import type { CsvImport, StaffPerson } from "../imports/csv-import.ts";
import type { StoredIssue } from "../imports/issue.ts";
import { selectMoveImports, selectTotals } from "../imports/queries.ts";
import { storeUpload } from "../imports/store-upload.ts";
import { readProgram } from "../program/read-program.ts";
import {
  hasColumnOf,
  type MemberMove,
  type MoveKind,
  moveFileName,
  moveHeader,
  moveLine,
  moveOptions,
  moveUidOf,
  PartNotImportedError,
} from "./move.ts";
import { readMembers } from "./read-members.ts";
import type { ResolvedMember } from "./resolve-members.ts";
import { dependsOnStore } from "./store-faults.ts";

/** What a move needs to do its work. */
export interface MoveWork {
  readonly by: StaffPerson;
  /** Waits until a part is done. */
  readonly work: (uid: string, phase: "check" | "import") => Promise<CsvImport>;
  /** The import whose check read the move's file: rows that it left out stay left out. Absent: the file was not checked before. */
  readonly checkUid?: string;
  /** Called while a kind's file is made from the move's, with the number of rows read. */
  readonly onRows?: (kind: MoveKind, rows: number) => void;
  /**
   * Called with rows whose points are left out while a file is made, because of present customers or an earlier move; the check may have reported
   * them.
   */
  readonly onLeftOut: (faults: readonly StoredIssue[]) => Promise<void>;
}

/**
 * Imports one kind of a move: uploads, checks and starts it, or continues an existing import of it. Returns the import; null: the file has nothing of
 * the kind. Throws PartNotImportedError: the kinds after it refer to its rows and must wait. Called again, it tries again.
 */
export async function moveKind(
  deps: Pick<Deps, "db" | "clock" | "random">,
  move: MemberMove,
  kind: MoveKind,
  how: MoveWork,
): Promise<CsvImport | null> {
  const { by, work } = how;
  const uid = moveUidOf(move);
  const begun = (await selectMoveImports(deps.db, uid)).find((one) => one.kind === kind);
  const found = begun ?? (hasColumnOf(move, kind) ? await upload(deps, move, kind, how) : null);
  if (found === null) return null;
  let file = found;
  if (file.state === "uploaded") {
    const settings = { ...file, separator: ",", hasHeader: true } as const;
    await deps.db.tx((tx) => startCheck(tx, deps, found.uid, { settings, by }));
    file = await work(file.uid, "check");
  }
  if (file.state === "checking") file = await work(file.uid, "check");
  const isStarting = file.state === "checked";
  if (isStarting && (await isEmpty(deps, file))) return file; // every row has become faulty
  if (isStarting) await deps.db.tx((tx) => startImport(tx, deps, found.uid, { by, isApproved: true, moveUid: uid }));
  if (isStarting || file.state === "importing") file = await work(file.uid, "import");
  if (file.state !== "imported" && !ENDED_BY_A_PERSON.has(file.state)) throw new PartNotImportedError(file);
  return file;
}

/** The rest of the move goes on without a part that a person cancelled or undid meanwhile: a next try would import it once more. */
const ENDED_BY_A_PERSON: ReadonlySet<CsvImport["state"]> = new Set(["given_up", "undoing", "undone"]);

async function isEmpty(deps: Pick<Deps, "db">, file: CsvImport): Promise<boolean> {
  const done = (await selectTotals(deps.db, [file.uid])).get(file.uid) ?? [];
  return done.every(({ validCount }) => validCount === 0n);
}

async function upload(
  deps: Pick<Deps, "db" | "clock" | "random">,
  move: MemberMove,
  kind: MoveKind,
  { by, checkUid, onLeftOut, onRows = () => {} }: MoveWork,
): Promise<CsvImport | null> {
  const { tiers, store } = await readProgram(deps.db);
  const lineOf = moveLine(kind, move, { tiers: tiers.rules, currency: store.currency });
  const lines = linesOf(deps, move, {
    ...{ lineOf, checkUid },
    onLeftOut: kind === "points" ? onLeftOut : async () => {},
    onRows: (rows) => onRows(kind, rows),
  });
  const first = await lines.next();
  if (first.done === true) return null;
  const header = moveHeader(kind, move);
  async function* bytes() {
    yield Buffer.from(header + first.value);
    for await (const text of lines) yield Buffer.from(text);
  }
  const fileName = moveFileName(move);
  return storeUpload(deps, { kind, fileName, bytes: bytes(), by, options: moveOptions(move) });
}

async function* linesOf(
  deps: Pick<Deps, "db" | "clock" | "random">,
  move: MemberMove,
  {
    lineOf,
    checkUid,
    onLeftOut,
    onRows,
  }: Pick<MoveWork, "onLeftOut"> & {
    readonly checkUid: string | undefined;
    readonly lineOf: (resolved: ResolvedMember) => string;
    readonly onRows: (rows: number) => void;
  },
): AsyncGenerator<string> {
  let rows = 0;
  for await (const { members, faults } of readMembers(deps, move, { nonce: deps.random.uid(), checkUid })) {
    const leftOut = faults.flat().filter(dependsOnStore);
    if (leftOut.length > 0) await onLeftOut(leftOut);
    rows += members.length + faults.length;
    onRows(rows);
    const text = members.map(lineOf).join("");
    if (text !== "") yield text;
  }
}
