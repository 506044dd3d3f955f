import type { Deps } from "../deps.ts";
import { startImport } from "../imports/apply/start-import.ts";
import { startCheck } from "../imports/check/start-check.ts";
import type { CsvImport, StaffPerson } from "../imports/csv-import.ts";
import { selectMoveImports, selectTotals } from "../imports/queries.ts";
import { storeUpload } from "../imports/store-upload.ts";
import { readProgram } from "../program/read-program.ts";
import { type MemberMove, type MoveKind, moveFileName, moveHeader, moveLine, moveOptions, moveUidOf } from "./move.ts";
import { readMembers } from "./read-members.ts";
import type { ResolvedMember } from "./resolve-members.ts";

/**
 * Brings in one kind of a move: uploads it, checks it and starts it, or goes on with what is there of it. `work` waits for a part to be done.
 * Returns the import; null: the file has nothing of the kind.
 */
export async function moveKind(
  deps: Pick<Deps, "db" | "clock" | "random">,
  move: MemberMove,
  kind: MoveKind,
  {
    by,
    work,
  }: { readonly by: StaffPerson; readonly work: (uid: string, phase: "check" | "import") => Promise<CsvImport> },
): Promise<CsvImport | null> {
  const uid = moveUidOf(move);
  const begun = (await selectMoveImports(deps.db, uid)).find((one) => one.kind === kind);
  const found = begun ?? (await upload(deps, move, kind, by));
  if (found === null) return null;
  let file = found;
  if (file.state === "uploaded") {
    const settings = { ...file, separator: ",", hasHeader: true } as const;
    await deps.db.tx((tx) => startCheck(tx, deps, found.uid, { settings, by }));
    file = await work(file.uid, "check");
  }
  if (file.state === "checking") file = await work(file.uid, "check");
  if (file.state === "checked") {
    if (await isEmpty(deps, file)) return file; // every row has a fault by now
    await deps.db.tx((tx) => startImport(tx, deps, found.uid, { by, isApproved: true }));
  }
  return file.state === "imported" ? file : work(file.uid, "import");
}

async function isEmpty(deps: Pick<Deps, "db">, file: CsvImport): Promise<boolean> {
  const done = (await selectTotals(deps.db, [file.uid])).get(file.uid) ?? [];
  return done.every(({ validCount }) => validCount === 0n);
}

async function upload(
  deps: Pick<Deps, "db" | "clock" | "random">,
  move: MemberMove,
  kind: MoveKind,
  by: StaffPerson,
): Promise<CsvImport | null> {
  const { tiers, store } = await readProgram(deps.db);
  const lines = linesOf(deps, move, moveLine(kind, move, { tiers: tiers.rules, currency: store.currency }));
  const first = await lines.next();
  if (first.done === true) return null;
  const header = moveHeader(kind);
  async function* bytes() {
    yield Buffer.from(header + first.value);
    for await (const text of lines) yield Buffer.from(text);
  }
  const fileName = moveFileName(move, kind);
  return storeUpload(deps, { kind, fileName, bytes: bytes(), by, options: moveOptions(move) });
}

async function* linesOf(
  deps: Pick<Deps, "db" | "clock" | "random">,
  move: MemberMove,
  lineOf: (resolved: ResolvedMember) => string,
): AsyncGenerator<string> {
  for await (const { members } of readMembers(deps, move, deps.random.uid())) {
    const text = members.map(lineOf).join("");
    if (text !== "") yield text;
  }
}
