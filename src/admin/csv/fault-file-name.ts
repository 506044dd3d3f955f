import type { CsvImport } from "../../imports/csv-import.ts";
import type { IssuePhase } from "../../imports/issue.ts";
import { localDate } from "../../time/store-time.ts";
import type { Language } from "../../wire/language.ts";

const WHAT: Readonly<Record<Language, Readonly<Record<IssuePhase, string>>>> = {
  en: { check: "faulty-rows", warning: "warnings", import: "rows-not-imported", undo: "rows-not-undone" },
  ja: { check: "エラー行", warning: "警告", import: "インポートできなかった行", undo: "取り消せなかった行" },
};
const STEM_CHARACTERS_MAX = 80;
/** Characters that a file's name cannot have on some system, and those that would break the header. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}"*/:<>?\\|%]+/gu;

/** The name of a file of faulty rows: that of the import, the day of the store on which it was uploaded, and what the rows are. */
export function faultFileName(
  { fileName, createdAt }: Pick<CsvImport, "fileName" | "createdAt">,
  { phase, language }: { readonly phase: IssuePhase; readonly language: Language },
  timeZone: string,
): string {
  const stem = fileName.replace(/\.(csv|tsv|txt)$/i, "").replaceAll(UNSAFE, "_");
  const short = [...stem].slice(0, STEM_CHARACTERS_MAX).join("").trim();
  return `${short || "import"}-${localDate(createdAt, timeZone)}-${WHAT[language][phase]}.csv`;
}

/** The header of a file with any name (RFC 6266): beside its name in UTF-8 one in ASCII, for what reads no other. */
export function attachmentOf(name: string): string {
  const ascii = name.replaceAll(/[^ -~]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
